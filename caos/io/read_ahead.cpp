#include "caos/io/read_ahead.hpp"

#include <cassert>
#include <utility>

#include "caos/core/error.hpp"

namespace caos::io {
namespace {

std::variant<MappedFile, std::exception_ptr> open(const std::string& path) {
  try {
    MappedFile file = MappedFile::open(path);
    file.will_need();
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
  Opened opened = std::move(opened_.front());
  opened_.pop_front();
  if (const auto* error = std::get_if<std::exception_ptr>(&opened)) std::rethrow_exception(*error);
  MappedFile file = std::get<MappedFile>(std::move(opened));
  file.wait();
  return file;
}

}  // namespace caos::io
