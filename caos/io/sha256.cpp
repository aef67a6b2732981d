#include "caos/io/sha256.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/file_descriptor.hpp"

namespace caos::io {
namespace {

void require_done(int done) {
  require(done == 1, ErrorKind::backend, "OpenSSL cannot compute SHA-256");
}

}  // namespace

struct Sha256::State {
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  require_done(state_->context ? EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr)
                               : 0);
}

Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  require_done(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()));
}

std::string Sha256::digits() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
  unsigned size = 0;
  require_done(EVP_DigestFinal_ex(state_->context.get(), digest.data(), &size));
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string sha256(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digits();
}

FileHash hash_of_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  require(static_cast<bool>(file), ErrorKind::not_found,
          [&] { return fmt::format("{}: {}", path, reason(errno)); });
  Sha256 hash;
  FileHash result;
  std::vector<std::byte> buffer(std::size_t{1} << 20);
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw failed(path, "cannot be read", errno);
    if (count == 0) break;
    hash.add(std::span(buffer).first(static_cast<std::size_t>(count)));
    result.bytes += static_cast<std::uint64_t>(count);
  }
  result.sha256 = hash.digits();
  return result;
}

}  // namespace caos::io
