#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace caos::cli {

/// An option or positional argument of a command. Setters return the option, so that calls chain.
class Option {
 public:
  struct Help {};
  using Version = std::function<std::string()>;
  using Read = std::function<void(const std::string&)>;
  /// Where the value goes: a flag, one text, several texts, or a function that reads one text.
  using Target = std::variant<Help, Version, bool*, std::string*, std::vector<std::string>*, Read>;

  /// `names` are as typed, separated by commas, the longest last; a positional argument has one
  /// without a dash.
  Option(const std::string& names, Target target, std::string description);

  Option* required(bool required = true);
  Option* type_name(const std::string& name);
  Option* default_str(const std::string& text);
  /// The default is the value that the target has now, which must be one text.
  Option* capture_default_str();
  /// A former name, which is accepted but not shown.
  Option* alias(const std::string& name);
  /// The heading in the help; by default that of options of its name.
  Option* group(const std::string& heading);
  /// Accepted, but left out of the help.
  Option* hidden();
  /// Several values in one word, separated by this character.
  Option* delimiter(char delimiter);
  /// Neither option goes with the other.
  Option* excludes(Option* other);
  Option* needs(Option* other);
  /// The value is the name of a file or folder.
  Option* path();
  /// Words that a shell may offer as the value. They are not checked: that is for the command.
  Option* offers(std::vector<std::string> words);

  [[nodiscard]] const Target& target() const { return target_; }
  [[nodiscard]] const std::vector<std::string>& get_names() const { return names_; }
  /// The longest of its names.
  [[nodiscard]] const std::string& get_name() const { return names_.back(); }
  [[nodiscard]] const std::vector<std::string>& get_aliases() const { return aliases_; }
  [[nodiscard]] const std::string& get_description() const { return description_; }
  [[nodiscard]] const std::string& get_type_name() const { return type_name_; }
  [[nodiscard]] const std::string& get_default_str() const { return default_; }
  [[nodiscard]] const std::string& get_group() const { return group_; }
  [[nodiscard]] char get_delimiter() const { return delimiter_; }
  [[nodiscard]] const std::vector<Option*>& get_excludes() const { return excludes_; }
  [[nodiscard]] const std::vector<Option*>& get_needs() const { return needs_; }
  [[nodiscard]] const std::vector<std::string>& get_offers() const { return offers_; }
  [[nodiscard]] bool get_required() const { return required_; }
  [[nodiscard]] bool is_positional() const { return !get_name().starts_with('-'); }
  [[nodiscard]] bool is_path() const { return is_path_; }
  [[nodiscard]] bool is_hidden() const { return is_hidden_; }
  /// Whether it takes no value.
  [[nodiscard]] bool is_flag() const { return target_.index() <= 2; }

  /// The values that were given on the command line, once the command runs.
  [[nodiscard]] const std::vector<std::string>& results() const { return results_; }
  [[nodiscard]] std::size_t count() const { return results_.size(); }
  void set_results(std::vector<std::string> results) { results_ = std::move(results); }

 private:
  std::vector<std::string> names_;
  std::vector<std::string> aliases_;
  Target target_;
  std::string description_;
  std::string type_name_;
  std::string default_;
  std::string group_;
  std::vector<Option*> excludes_;
  std::vector<Option*> needs_;
  std::vector<std::string> offers_;
  std::vector<std::string> results_;
  char delimiter_ = '\0';
  bool required_ = false;
  bool is_path_ = false;
  bool is_hidden_ = false;
};

/// A command of the program, or the program itself, with the commands below it. It describes what
/// the command line may say; `run_command_line` reads the command line by it.
class Command {
 public:
  Command(std::string name, std::string description, const Command* parent = nullptr);

  /// If a command has commands below it, one of them must be given.
  Command& add_subcommand(const std::string& name, const std::string& description);
  /// A former name, which is accepted but not shown.
  void alias(const std::string& name) { aliases_.push_back(name); }
  /// Accepted, but left out of the help.
  void hidden() { is_hidden_ = true; }

  /// The value must outlive the command.
  Option* add_option(const std::string& name, std::string& value, const std::string& description);
  Option* add_option(const std::string& name, std::vector<std::string>& values,
                     const std::string& description);
  Option* add_option(const std::string& name, Option::Read read, const std::string& description);
  Option* add_flag(const std::string& name, bool& value, const std::string& description);
  /// Adds --version. `text` is called only if it is given.
  void add_version(Option::Version text);

  /// What the help says below the options.
  void footer(const std::string& text) { footer_ = text; }
  /// What the command does.
  void callback(std::function<void()> run) { run_ = std::move(run); }
  /// Called before `callback`, as soon as the command's own arguments are read.
  void parse_complete_callback(std::function<void()> check) { check_ = std::move(check); }

  [[nodiscard]] const std::string& get_name() const { return name_; }
  [[nodiscard]] const std::string& get_description() const { return description_; }
  [[nodiscard]] const std::string& get_footer() const { return footer_; }
  [[nodiscard]] const std::vector<std::string>& get_aliases() const { return aliases_; }
  [[nodiscard]] bool is_hidden() const { return is_hidden_; }
  /// Whether commands are below it.
  [[nodiscard]] bool is_group() const { return !subcommands_.empty(); }
  [[nodiscard]] const Command* get_parent() const { return parent_; }
  [[nodiscard]] const std::function<void()>& get_callback() const { return run_; }
  [[nodiscard]] const std::function<void()>& get_check() const { return check_; }
  [[nodiscard]] std::vector<Command*> get_subcommands() const;
  /// -h and --help first.
  [[nodiscard]] std::vector<Option*> get_options() const;
  /// The option with this name, which must exist.
  [[nodiscard]] Option* get_option(const std::string& name) const;
  /// As it is typed: `caos landmarks predict`.
  [[nodiscard]] std::string typed_name() const;

 private:
  Option* add(const std::string& names, Option::Target target, const std::string& description);

  std::string name_;
  std::string description_;
  std::string footer_;
  std::vector<std::string> aliases_;
  const Command* parent_;
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<Command>> subcommands_;
  std::function<void()> run_;
  std::function<void()> check_;
  bool is_hidden_ = false;
};

/// The longest of names separated by commas: `--output` of `-o,--output`.
[[nodiscard]] std::string long_name(const std::string& names);

}  // namespace caos::cli
