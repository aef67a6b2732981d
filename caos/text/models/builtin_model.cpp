#include "caos/text/models/builtin_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "caos/kernels/exp.hpp"
#include "caos/text/models/lexical_features.hpp"

namespace caos::text {
namespace {

// Chosen by hand before any data were scored. Every label has one vote. The reference adds up to
// `reference_votes` for its own label, in proportion to the similarity; the words of a label add up
// to `name_votes` where they all occur in the text.
constexpr double reference_votes = 30;
constexpr double name_votes = 5;

class BuiltinModel final : public LanguageModel {
 public:
  explicit BuiltinModel(Question question) : labels_(std::move(question.labels)) {
    for (const std::string& name : labels_.names()) names_.emplace_back(name);
  }

  [[nodiscard]] std::string description() const override { return "builtin (lexical, no weights)"; }

  [[nodiscard]] std::string identity() const override { return "builtin 1"; }

  [[nodiscard]] std::vector<ScoredText> score(const LabeledText& reference,
                                              std::span<const std::string> texts) const override {
    const LexicalFeatures of_reference(reference.text);
    std::vector<ScoredText> result;
    result.reserve(texts.size());
    for (const std::string& text : texts) {
      result.push_back(score_one(of_reference, reference.label, LexicalFeatures(text)));
    }
    return result;
  }

  [[nodiscard]] ScoringCost cost(const LabeledText&, std::span<const std::string>) const override {
    return {};
  }

 private:
  [[nodiscard]] ScoredText score_one(const LexicalFeatures& reference, Label label,
                                     const LexicalFeatures& text) const {
    std::vector<double> votes(labels_.size(), 1.0);
    for (std::size_t y = 0; y < votes.size(); ++y) {
      // Squared, as a long text happens to contain a few pieces of every word.
      const double share = share_within(names_[y], text);
      votes[y] += name_votes * (share * share);
    }
    votes[label] += reference_votes * similarity(reference, text);
    return from_votes(votes);
  }

  [[nodiscard]] static ScoredText from_votes(std::span<const double> votes) {
    double all = 0;
    for (const double vote : votes) all += vote;
    ScoredText result;
    for (const double vote : votes) {
      // Never above 0, whatever the logarithms' last bits.
      const double log = kernels::log_of_large(vote) - kernels::log_of_large(all);
      result.labels.push_back({.log_likelihood = std::min(log, 0.0), .tokens = 1});
    }
    return result;
  }

  LabelSpace labels_;
  std::vector<LexicalFeatures> names_;
};

}  // namespace

std::unique_ptr<LanguageModel> make_builtin_model(Question question) {
  return std::make_unique<BuiltinModel>(std::move(question));
}

}  // namespace caos::text
