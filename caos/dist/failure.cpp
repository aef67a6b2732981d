#include "caos/dist/failure.hpp"

#include <cstdint>
#include <exception>
#include <new>

namespace caos::dist {

std::optional<Failure> failure_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return Failure{error.kind(), error.what()};
  } catch (const std::bad_alloc&) {
    return Failure{ErrorKind::backend, "out of memory"};
  } catch (const std::exception& error) {
    return Failure{ErrorKind::backend, error.what()};
  }
  return std::nullopt;
}

void pack(Packer& packer, const std::optional<Failure>& failure) {
  packer.put<std::uint8_t>(failure ? 1 : 0);
  if (failure) packer.put(failure->kind).put_text(failure->text);
}

std::optional<Failure> unpack_failure(Unpacker& unpacker) {
  if (unpacker.get<std::uint8_t>() == 0) return std::nullopt;
  const auto kind = unpacker.get<ErrorKind>();
  return Failure{kind, unpacker.get_text()};
}

}  // namespace caos::dist
