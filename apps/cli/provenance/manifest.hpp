#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest_file.hpp"
#include "caos/landmarks/landmark_model.hpp"

namespace caos::cli {

/// What a run reads and where its result goes.
struct RunFiles {
  std::vector<std::string> inputs{};   ///< files, or folders of files; "-" is standard input
  std::vector<std::string> outputs{};  ///< files
  std::string folder{};                ///< that holds all outputs; the run may create it
  std::string manifest{};              ///< where it goes without --manifest; empty: nowhere
};

/// The provenance of one result: version, options, inputs, outputs and models. Written with
/// --manifest, and by experiments. The same run gives the same manifest: it contains no time, no
/// machine name, and paths as they were typed.
class Manifest {
 public:
  /// Construct before files are opened, in one process only. Empty names are options that were
  /// not given. Throws as `check_outputs` does if the manifest could not be written.
  Manifest(const CommonOptions& common, RunFiles files);

  /// Further files that are read; missing ones are left out.
  void add_inputs(const std::vector<std::string>& files);
  void add_outputs(const std::vector<std::string>& files);
  /// A file that later runs change; it is listed without a hash.
  void add_growing_output(const std::string& file);

  void set_backbone(const EmbeddingRecord& embedding);
  /// Images were decoded, or are among the outputs.
  void set_uses_pixels() { uses_pixels_ = true; }
  void set_language_model(const std::string& name, const std::string& identity);
  /// One text, or a list of guarantees.
  void set_guarantee(Json guarantee) { guarantee_ = std::move(guarantee); }

  /// Call when everything is printed and written. Does nothing if no manifest is wanted.
  void write();

 private:
  struct Input {
    std::string path;
    std::optional<std::chrono::nanoseconds> changed{};
  };

  [[nodiscard]] bool is_wanted() const { return !target_.empty(); }
  void add_input(const std::string& path);
  [[nodiscard]] Json inputs_json() const;
  [[nodiscard]] Json outputs_json() const;
  [[nodiscard]] Json to_json(const Json& inputs, const Json& outputs) const;
  void warn_of_changed(const Json& inputs) const;

  const CommonOptions& common_;
  std::chrono::nanoseconds begun_ = std::chrono::system_clock::now().time_since_epoch();
  std::vector<Input> inputs_{};
  std::set<std::string> known_inputs_{};
  std::vector<std::string> outputs_{};
  std::vector<std::string> growing_{};
  std::string target_;
  Json backbone_ = nullptr;
  Json language_model_ = nullptr;
  bool uses_pixels_ = false;
  Json runtimes_ = Json::object();
  Json guarantee_ = nullptr;
};

/// The guarantee of every result: {method, alpha, guarantee}, one per result.
template <typename Results>
[[nodiscard]] Json guarantees_of(const Results& results) {
  Json list = Json::array();
  for (const auto& result : results) {
    list.push_back({{"method", method_name(result.method)},
                    {"alpha", result.alpha.text()},
                    {"guarantee", result.guarantee.text()}});
  }
  return list;
}

/// For results that contain no sets yet.
inline constexpr const char* guarantee_of_sets_to_come =
    "none by itself; sets that are predicted from it say what they guarantee";

}  // namespace caos::cli
