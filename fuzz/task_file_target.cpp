#include "caos/text/task_file.hpp"
#include "fuzz/target.hpp"

namespace caos::fuzz {
namespace {

FUZZ_TARGET(task_file, input) {
  const text::TaskFile task = text::read_task_file(file_of(input, "task.json"));
  demand(task.labels.size() >= 2, "a task has labels");
}

}  // namespace
}  // namespace caos::fuzz
