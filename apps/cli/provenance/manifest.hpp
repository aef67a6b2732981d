#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/cli/options.hpp"
#include "apps/cli/program.hpp"
#include "apps/cli/provenance/manifest_file.hpp"

namespace caos::cli {

/// What a run reads and where its result goes.
struct RunFiles {
  std::vector<std::string> inputs{};   ///< files, or folders of files; "-" is standard input
  std::vector<std::string> outputs{};  ///< files
  std::string folder{};                ///< that holds all outputs, if they belong together
};

/// The record of one run, for the file beside its result: with what and from what it was made.
/// The same run gives the same manifest: it names no time, no machine, and paths as they were
/// typed.
class Manifest {
 public:
  /// To be made before files are opened, and by one rank alone. Empty names are options that were
  /// not given. Throws as `check_outputs` does where a manifest could not be written.
  Manifest(const CommonOptions& common, RunFiles files);

  /// Files that turn out to be read; one that is not there is left out.
  void add_inputs(const std::vector<std::string>& files);
  void add_outputs(const std::vector<std::string>& files);
  /// A file that changes after this run, so that its hash would tell nothing.
  void add_growing_output(const std::string& file);

  void set_backbone(const std::string& name, const std::string& identity);
  /// Images were decoded, or are among the outputs.
  void set_uses_pixels() { uses_pixels_ = true; }
  void set_language_model(const std::string& name, const std::string& identity);
  /// One text, or a list of what is promised to whom.
  void set_guarantee(Json guarantee) { guarantee_ = std::move(guarantee); }

  /// To be called when all is printed and written; writes nothing where no manifest is wanted.
  void write();

 private:
  struct Input {
    std::string path;
    std::optional<std::chrono::nanoseconds> changed{};
  };

  [[nodiscard]] bool is_wanted() const { return !targets_.empty(); }
  void add_input(const std::string& path);
  [[nodiscard]] Json inputs_json() const;
  [[nodiscard]] Json outputs_json() const;
  [[nodiscard]] Json to_json(const std::string& target, const Json& inputs,
                             const Json& outputs) const;
  void warn_of_changed(const Json& inputs) const;

  const CommonOptions& common_;
  std::chrono::nanoseconds begun_ = std::chrono::system_clock::now().time_since_epoch();
  std::vector<Input> inputs_{};
  std::set<std::string> known_inputs_{};
  std::vector<std::string> outputs_{};
  std::vector<std::string> growing_{};
  std::vector<std::string> targets_{};
  Json backbone_ = nullptr;
  Json language_model_ = nullptr;
  bool uses_pixels_ = false;
  Json runtimes_ = Json::object();
  Json guarantee_ = nullptr;
};

/// What holds for every result with these options: {method, alpha, guarantee}, one per result.
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

/// For results that hold no sets yet.
inline constexpr const char* guarantee_of_sets_to_come =
    "none by itself; sets that are predicted from it say what they guarantee";

}  // namespace caos::cli
