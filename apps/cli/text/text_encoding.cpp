#include "apps/cli/text/text_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "caos/error.hpp"

namespace caos::cli {

EncoderSessionOptions encoder_options(const ScoringOptions& options) {
  const TextSessionOptions session = session_options(options);
  return {.model = session.model,
          .model_options = session.model_options,
          .store = session.store,
          .make_store = session.make_store,
          .threads = session.threads};
}

std::vector<Method> encoder_methods(const std::vector<std::string>& names, bool grouped) {
  if (names.empty()) return default_encoder_methods(grouped);
  std::vector<Method> methods;
  for (const std::string& name : names) {
    const Method method = parse_encoder_method(name);
    if (std::ranges::find(methods, method) == methods.end()) methods.push_back(method);
  }
  return methods;
}

void check_needs_no_encoder(const std::vector<std::string>& names) {
  const std::string_view full = method_name(Method::full_kernel);
  require(std::ranges::find(names, full) == names.end(), ErrorKind::invalid_input, [&] {
    return fmt::format(
        "{} needs vectors of texts; give --model encoder:DIR, embed:FILE.gguf or embed-server:URL",
        full);
  });
}

TextEncoding::TextEncoding(const CommonOptions& common, EncoderSession session)
    : session_(std::move(session)), bar_(std::make_unique<ProgressBar>(common, "embedding texts")) {
  const std::string destination = text::destination_of(session_.options().model);
  if (!destination.empty()) {
    note(common, fmt::format("texts and labels are sent to {}", destination));
  }
  session_.set_progress([&bar = *bar_](const EmbeddingTally& done, std::uint64_t total) {
    bar.show(done.texts, total, {.at_no_cost = done.from_store});
  });
}

ScoringReport TextEncoding::report() const {
  bar_->clear();
  return {.model = session_.options().model,
          .description = session_.encoder().description(),
          .identity = session_.encoder().identity(),
          .store = session_.store().path(),
          .embeddings = session_.tally()};
}

}  // namespace caos::cli
