#include "apps/studio/http/token_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/rand.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "caos/error.hpp"
#include "caos/io/file_descriptor.hpp"
#include "caos/io/mapped_file.hpp"

namespace caos::studio::http {
namespace {

constexpr std::size_t shortest_token = 16;

/// What may stand in a cookie and in a header.
bool is_token_letter(char letter) {
  constexpr std::string_view signs = "-_.~+/=";
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || signs.find(letter) != std::string_view::npos;
}

std::string random_token() {
  std::array<unsigned char, 24> bytes{};
  require(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1, ErrorKind::backend,
          "the system gives no random numbers");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace

std::string read_token(const std::string& path) {
  const io::MappedFile file = io::MappedFile::read(path);
  std::string token(file.text());
  while (token.ends_with('\n') || token.ends_with('\r')) token.pop_back();
  require(token.size() >= shortest_token && token.size() <= 1024 &&
              std::ranges::all_of(token, is_token_letter),
          ErrorKind::invalid_input, [&] {
            return fmt::format(
                "{}: a token is one line of at least {} letters, digits, - or _; make one with "
                "--make-token FILE",
                path, shortest_token);
          });
  return token;
}

void make_token(const std::string& path) {
  const io::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  require(static_cast<bool>(file), ErrorKind::invalid_input, [&] {
    return errno == EEXIST
               ? fmt::format("{}: already exists; use it with --token-file, or give another name",
                             path)
               : fmt::format("{}: cannot be written: {}", path, io::reason(errno));
  });
  const std::string line = random_token() + "\n";
  require(::write(file.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
              ::fsync(file.get()) == 0,
          ErrorKind::backend, [&] { return fmt::format("{}: cannot be written", path); });
}

}  // namespace caos::studio::http
