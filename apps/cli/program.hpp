#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace caos::cli {

/// Keys stay in the order in which they are written.
using Json = nlohmann::ordered_json;

/// Options that every verb has.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
};

void add_common_options(CLI::App& verb, CommonOptions& options);

/// Data, to stdout. Throws `backend` if it cannot be written.
void print(std::string_view text);

/// To be called last: hands everything printed to the system, or throws `backend`.
void finish_printing();

/// Talk, to stderr; silent with --quiet.
void note(const CommonOptions& options, std::string_view text);
void warn(const CommonOptions& options, std::string_view text);

/// A bar on stderr while work goes on: only on a terminal, not with --quiet.
class ProgressBar {
 public:
  ProgressBar(const CommonOptions& options, std::string what);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(std::size_t done, std::size_t total);

  /// Takes the bar off the screen, so that text can follow.
  void clear();

 private:
  bool visible_;
  std::string what_;
  std::size_t shown_percent_ = 101;
};

/// A threshold for JSON: null where it is infinite or there is none.
[[nodiscard]] Json json_number(std::optional<double> value);

/// Each verb adds itself to the program and runs when it is chosen.
void add_evaluate(CLI::App& app);
void add_calibrate(CLI::App& app);
void add_predict(CLI::App& app);
void add_inspect(CLI::App& app);
void add_advise(CLI::App& app);
void add_generate(CLI::App& app);

}  // namespace caos::cli
