#include "apps/cli/command.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace caos::cli {
namespace {

std::vector<std::string> split_names(const std::string& names) {
  std::vector<std::string> result;
  std::istringstream parts(names);
  for (std::string part; std::getline(parts, part, ',');) result.push_back(part);
  return result;
}

}  // namespace

Option::Option(const std::string& names, Target target, std::string description)
    : names_(split_names(names)),
      target_(std::move(target)),
      description_(std::move(description)),
      type_name_(is_flag() ? "" : "TEXT") {}

Option* Option::required(bool required) {
  required_ = required;
  return this;
}

Option* Option::type_name(const std::string& name) {
  type_name_ = name;
  return this;
}

Option* Option::default_str(const std::string& text) {
  default_ = text;
  return this;
}

Option* Option::capture_default_str() { return default_str(*std::get<std::string*>(target_)); }

Option* Option::alias(const std::string& name) {
  aliases_.push_back(name);
  return this;
}

Option* Option::group(const std::string& heading) {
  group_ = heading;
  return this;
}

Option* Option::delimiter(char delimiter) {
  delimiter_ = delimiter;
  return this;
}

Option* Option::excludes(Option* other) {
  excludes_.push_back(other);
  other->excludes_.push_back(this);
  return this;
}

Option* Option::needs(Option* other) {
  needs_.push_back(other);
  return this;
}

Option* Option::hidden() {
  is_hidden_ = true;
  return this;
}

Option* Option::path() {
  is_path_ = true;
  return this;
}

Option* Option::offers(std::vector<std::string> words) {
  offers_ = std::move(words);
  return this;
}

Command::Command(std::string name, std::string description, const Command* parent)
    : name_(std::move(name)), description_(std::move(description)), parent_(parent) {
  add("-h", Option::Help{}, "Show the most common options");
  add("--help", Option::Help{}, "Show all options");
}

Command& Command::add_subcommand(const std::string& name, const std::string& description) {
  return *subcommands_.emplace_back(std::make_unique<Command>(name, description, this));
}

Option* Command::add(const std::string& names, Option::Target target,
                     const std::string& description) {
  options_.push_back(std::make_unique<Option>(names, std::move(target), description));
  return options_.back().get();
}

Option* Command::add_option(const std::string& name, std::string& value,
                            const std::string& description) {
  return add(name, &value, description);
}

Option* Command::add_option(const std::string& name, std::vector<std::string>& values,
                            const std::string& description) {
  return add(name, &values, description);
}

Option* Command::add_option(const std::string& name, Option::Read read,
                            const std::string& description) {
  return add(name, std::move(read), description);
}

Option* Command::add_flag(const std::string& name, bool& value, const std::string& description) {
  return add(name, &value, description);
}

void Command::add_version(Option::Version text) {
  add("-V,--version", std::move(text), "Show the version and what it was built with");
}

std::vector<Command*> Command::get_subcommands() const {
  std::vector<Command*> commands;
  for (const auto& command : subcommands_) commands.push_back(command.get());
  return commands;
}

std::vector<Option*> Command::get_options() const {
  std::vector<Option*> options;
  for (const auto& option : options_) options.push_back(option.get());
  return options;
}

Option* Command::get_option(const std::string& name) const {
  return std::ranges::find(options_, name, [](const auto& option) { return option->get_name(); })
      ->get();
}

std::string Command::typed_name() const {
  return parent_ == nullptr ? name_ : parent_->typed_name() + " " + name_;
}

std::string long_name(const std::string& names) { return split_names(names).back(); }

}  // namespace caos::cli
