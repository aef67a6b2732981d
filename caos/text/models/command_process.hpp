#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <string_view>

// For the model behind a command; not for users of the library.
namespace caos::text {

/// A program that reads lines from us and writes lines to us. What it writes as errors goes where
/// ours do. Ended with the object: its input is closed, and if it does not end by itself within two
/// seconds it is killed, with the programs that it started.
class CommandProcess {
 public:
  /// Starts it through the shell. Throws `backend` where that fails. It may take so many seconds
  /// for each line.
  CommandProcess(const std::string& command, double patience_seconds);
  CommandProcess(const CommandProcess&) = delete;
  CommandProcess& operator=(const CommandProcess&) = delete;
  ~CommandProcess();

  /// Appends to what is to be written to it.
  void write_line(std::string_view line);

  /// The next line that it wrote, without its end; meanwhile writes what it takes. Throws `backend`
  /// where it ends, writes a line without measure, or none in time.
  [[nodiscard]] std::string read_line();

 private:
  void exchange(std::chrono::steady_clock::time_point deadline);
  void write_some();
  void read_some();
  [[noreturn]] void ended();

  std::string command_;
  double patience_seconds_;
  pid_t process_ = -1;
  int input_ = -1;   // it reads from
  int output_ = -1;  // it writes to
  std::string to_write_;
  std::string read_;
  bool input_broken_ = false;
};

}  // namespace caos::text
