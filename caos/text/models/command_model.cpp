#include "caos/text/models/command_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "caos/error.hpp"
#include "caos/io/checksum.hpp"
#include "caos/io/printable.hpp"
#include "caos/io/utf8.hpp"
#include "caos/text/json_reader.hpp"
#include "caos/text/models/command_process.hpp"

namespace caos::text {
namespace {

using Json = nlohmann::json;

/// Texts that it may have and not yet have answered.
constexpr std::size_t window = 64;

void check(const std::string& text) {
  require(is_utf8(text), ErrorKind::invalid_input, "a text for the program is not UTF-8");
}

double log_likelihood(const Json& value) {
  const double number = value.is_number() ? value.get<double>() : 1.0;
  // -infinity has no number in JSON and comes as null.
  if (value.is_null()) return -std::numeric_limits<double>::infinity();
  require(std::isfinite(number) && number <= 0, ErrorKind::backend, [&] {
    return fmt::format("{} is not a log-likelihood: a number of at most 0, or null for -infinity",
                       io::printable(value.dump()));
  });
  return number;
}

std::uint32_t token_count(const Json& value) {
  require(value.is_number_unsigned() && value >= 1U && value <= 1'000'000U, ErrorKind::backend,
          [&] {
            return fmt::format("{} is not a number of tokens: a whole number from 1",
                               io::printable(value.dump()));
          });
  return value.get<std::uint32_t>();
}

const Json& list_of(const Json& answer, const char* key, std::size_t size) {
  const auto found = answer.find(key);
  require(found != answer.end() && found->is_array() && found->size() == size, ErrorKind::backend,
          [&] { return fmt::format("\"{}\" is not a list of {}, one per label", key, size); });
  return *found;
}

std::vector<LabelLikelihood> likelihoods_in(const Json& answer, std::size_t num_labels) {
  std::vector<LabelLikelihood> labels(num_labels);
  const Json& values = list_of(answer, "log_likelihoods", num_labels);
  for (std::size_t y = 0; y < num_labels; ++y) labels[y].log_likelihood = log_likelihood(values[y]);
  if (!answer.contains("tokens")) return labels;
  const Json& counts = list_of(answer, "tokens", num_labels);
  for (std::size_t y = 0; y < num_labels; ++y) labels[y].tokens = token_count(counts[y]);
  return labels;
}

class CommandModel final : public LanguageModel {
 public:
  CommandModel(const std::string& command, Question question, double patience_seconds)
      : command_(command), question_(std::move(question)), process_(command, patience_seconds) {
    process_.write_line(Json({{"caos", 1},
                              {"labels", question_.labels.names()},
                              {"template", question_.prompt.source()}})
                            .dump());
    const Json answer = next_answer("the first line");
    const auto text = [&](const char* key) {
      const auto found = answer.find(key);
      return found != answer.end() && found->is_string() ? found->get<std::string>() : "";
    };
    name_ = text("name");
    version_ = text("version");
    if (name_.empty()) fail("the first line", "it has no \"name\"");
  }

  [[nodiscard]] std::string description() const override {
    return fmt::format("command: {}{}{}", name_, version_.empty() ? "" : " ", version_);
  }

  [[nodiscard]] std::string identity() const override {
    return fmt::format("command name={} version={} command={}", name_, version_,
                       io::checksum({std::as_bytes(std::span(command_))}));
  }

  [[nodiscard]] std::vector<ScoredText> score(const LabeledText& reference,
                                              std::span<const std::string> texts) const override {
    check(reference.text);
    for (const std::string& text : texts) check(text);
    const std::lock_guard lock(mutex_);
    // An exception halfway leaves answers unread that belong to no request. So the program is not
    // asked again, and later callers get the same error: another thread may have seen it first.
    if (failure_) std::rethrow_exception(failure_);
    try {
      return exchange(reference, texts);
    } catch (...) {
      failure_ = std::current_exception();
      throw;
    }
  }

  [[nodiscard]] ScoringCost cost(const LabeledText& reference,
                                 std::span<const std::string> texts) const override {
    check(reference.text);
    ScoringCost cost{.requests = texts.size()};
    for (const std::string& text : texts) {
      check(text);
      cost.bytes_sent += request(UINT64_MAX, reference, text).dump().size() + 1;
    }
    return cost;
  }

 private:
  [[nodiscard]] Json request(std::uint64_t id, const LabeledText& reference,
                             const std::string& text) const {
    return {{"id", id},
            {"reference", {{"text", reference.text}, {"label", question_.labels[reference.label]}}},
            {"text", text}};
  }

  [[nodiscard]] std::vector<ScoredText> exchange(const LabeledText& reference,
                                                 std::span<const std::string> texts) const {
    const std::uint64_t first = next_id_;
    next_id_ += texts.size();
    std::vector<ScoredText> scored(texts.size());
    std::vector<bool> answered(texts.size());
    std::size_t sent = 0;
    for (std::size_t received = 0; received < texts.size(); ++received) {
      for (; sent < std::min(texts.size(), received + window); ++sent) {
        process_.write_line(request(first + sent, reference, texts[sent]).dump());
      }
      const auto waiting = std::ranges::find(answered, false) - answered.begin();
      take(next_answer(fmt::format("id {}", first + static_cast<std::uint64_t>(waiting))), first,
           std::span(scored).first(sent), answered);
    }
    return scored;
  }

  void take(const Json& answer, std::uint64_t first, std::span<ScoredText> sent,
            std::vector<bool>& answered) const {
    const auto id = answer.find("id");
    if (id == answer.end() || !id->is_number_unsigned()) fail("a text", "it has no \"id\"");
    const std::uint64_t number = id->get<std::uint64_t>();
    if (number < first || number - first >= sent.size() || answered[number - first]) {
      fail(fmt::format("id {}", number), "unknown id, or one that is already answered");
    }
    answered[number - first] = true;
    try {
      sent[number - first].labels = likelihoods_in(answer, question_.labels.size());
    } catch (const Error& error) {
      fail(fmt::format("id {}", number), error.what());
    }
  }

  /// The next line as an object. `to` is what it should answer.
  [[nodiscard]] Json next_answer(const std::string& to) const {
    const std::string line = process_.read_line();
    Json answer = parse_answer(line);
    if (!answer.is_object()) {
      fail(to, fmt::format("'{}' is not a JSON object", io::printable(line)));
    }
    return answer;
  }

  [[noreturn]] void fail(const std::string& to, const std::string& what) const {
    throw Error(ErrorKind::backend, fmt::format("the program '{}': its answer to {} is wrong: {}",
                                                io::printable(command_), to, what));
  }

  std::string command_;
  Question question_;
  std::string name_;
  std::string version_;
  mutable std::mutex mutex_;
  mutable CommandProcess process_;
  mutable std::uint64_t next_id_ = 0;
  mutable std::exception_ptr failure_;
};

}  // namespace

std::unique_ptr<LanguageModel> make_command_model(const std::string& command, Question question,
                                                  double patience_seconds) {
  require(command.find_first_not_of(" \t") != std::string::npos, ErrorKind::invalid_input,
          "command: needs a program; write command:PROGRAM ARGUMENTS");
  return std::make_unique<CommandModel>(command, std::move(question), patience_seconds);
}

}  // namespace caos::text
