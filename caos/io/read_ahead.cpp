#include "caos/io/read_ahead.hpp"

#include <fcntl.h>

#include <cassert>
#include <utility>

namespace caos::io {
namespace {

std::variant<Descriptor, std::exception_ptr> open(const std::string& path) {
  try {
    Descriptor file = open_to_read(path);
    ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_WILLNEED);
    return file;
  } catch (const Error&) {
    return std::current_exception();
  }
}

}  // namespace

MappedFile ReadAhead::next() {
  while (opened_.size() <= ahead_ && num_opened_ < paths_.size()) {
    opened_.push_back(open(paths_[num_opened_++]));
  }
  assert(!opened_.empty());
  const Opened opened = std::move(opened_.front());
  const std::string& path = paths_[num_opened_ - opened_.size()];
  opened_.pop_front();
  if (const auto* error = std::get_if<std::exception_ptr>(&opened)) std::rethrow_exception(*error);
  return MappedFile::read(std::get<Descriptor>(opened), path);
}

}  // namespace caos::io
