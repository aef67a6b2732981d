#include "fuzz/target.hpp"

#include <stdlib.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "caos/io/checksum.hpp"
#include "caos/io/safetensors_header.hpp"

namespace caos::fuzz {
namespace {

/// Removed by the process that made it; libFuzzer's other processes have their own.
class ScratchFolder {
 public:
  ScratchFolder() {
    const char* const memory = "/dev/shm";
    const bool has_memory = std::filesystem::is_directory(memory);
    path_ = (has_memory ? memory : std::filesystem::temp_directory_path().string()) +
            std::string("/caos-fuzz-XXXXXX");
    demand(::mkdtemp(path_.data()) != nullptr, "there is no place for files");
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

void demand(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "demanded: %s\n", what);
  ::abort();
}

std::string_view text_of(Input input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

std::vector<std::byte> copy_of(Input input) { return {input.begin(), input.end()}; }

const std::string& scratch_folder() {
  static const ScratchFolder folder;
  return folder.path();
}

std::string file_of(Input input, const std::string& name) {
  std::string path = scratch_folder() + "/" + name;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text_of(input);
  file.close();
  demand(file.good(), "a file can be written");
  return path;
}

std::vector<std::byte> with_checksum(Input input) {
  std::vector<std::byte> bytes = copy_of(input);
  constexpr std::size_t length_size = 8;
  const std::string_view text = text_of(bytes);
  const std::size_t key = text.find(io::checksum_key);
  const std::size_t digits = key + io::checksum_key.size();
  if (key == std::string_view::npos || key < length_size) return bytes;
  if (text.size() - digits < io::checksum_digits) return bytes;
  std::memset(bytes.data() + digits, '0', io::checksum_digits);
  const std::string sum = io::checksum({std::span(bytes).subspan(length_size)});
  std::memcpy(bytes.data() + digits, sum.data(), io::checksum_digits);
  return bytes;
}

}  // namespace caos::fuzz
