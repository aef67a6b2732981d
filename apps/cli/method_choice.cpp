#include "apps/cli/method_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace caos::cli {
namespace {

const std::vector<Method> usual_methods = {Method::caos, Method::full_caos, Method::scos};

bool says_all(const std::vector<std::string>& names) {
  return names.size() == 1 && names[0] == "all";
}

std::vector<Method> every_method() { return {all_methods().begin(), all_methods().end()}; }

}  // namespace

MethodChoice choose_methods(const std::vector<std::string>& names, const MethodObstacle& obstacle) {
  MethodChoice choice;
  if (!names.empty() && !says_all(names)) {
    choice.methods = parse_methods(names);
    return choice;
  }
  for (const Method method : names.empty() ? usual_methods : every_method()) {
    const std::optional<std::string> why = obstacle(method);
    if (why) {
      choice.left_out.push_back("left out: " + *why);
    } else {
      choice.methods.push_back(method);
    }
  }
  return choice;
}

Option* add_methods(Command& command, std::vector<std::string>& names) {
  std::vector<std::string> offered = method_names();
  const std::string description =
      fmt::format("{}, or all; those that cannot run are left out", fmt::join(offered, ", "));
  offered.emplace_back("all");
  return command.add_option("--methods", names, description)
      ->offers(offered)
      ->delimiter(',')
      ->type_name("NAME,...")
      ->default_str("caos,full-caos,scos");
}

}  // namespace caos::cli
