// Prediction sets from a score of your own: here, which language a word is from.
#include <caos/caos.hpp>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

namespace {

using Word = caos::Reference<std::string>;

const std::vector<std::string> languages = {"English", "German", "Italian"};

const std::vector<Word> examples = {
    {"thought", 0},  {"weather", 0},  {"knowing", 0},  {"through", 0}, {"shower", 0},
    {"nothing", 0},  {"schwarz", 1},  {"zwischen", 1}, {"fenster", 1}, {"schnell", 1},
    {"strasse", 1},  {"machen", 1},   {"finestra", 2}, {"mattina", 2}, {"bellezza", 2},
    {"giornata", 2}, {"piccolo", 2},  {"quando", 2},   {"feather", 0}, {"brought", 0},
    {"sprechen", 1}, {"kirschen", 1}, {"ragazza", 2},  {"stazione", 2}};

/// The share of letter pairs, with the word's ends, that two words do not have in common.
double distance(const std::string& a, const std::string& b) {
  const auto pairs = [](const std::string& word) {
    std::set<std::string> found;
    const std::string padded = "^" + word + "$";
    for (std::size_t i = 0; i + 1 < padded.size(); ++i) found.insert(padded.substr(i, 2));
    return found;
  };
  const std::set<std::string> of_a = pairs(a), of_b = pairs(b);
  double common = 0;
  for (const std::string& pair : of_a) common += of_b.contains(pair) ? 1 : 0;
  return 1 - common / static_cast<double>(of_a.size() + of_b.size() - std::size_t(common));
}

/// A word of another language than the reference's is as unlike it as can be.
std::vector<caos::Score> score(const Word& reference, const std::string& word) {
  std::vector<caos::Score> scores(languages.size(), 1);
  scores[reference.y] = distance(reference.x, word);
  return scores;
}

}  // namespace

int main() {
  const caos::OneShotPredictors<std::string> predictors(score, examples, languages.size());
  const auto alpha = caos::Miscoverage::parse("0.2");
  for (const std::string word : {"throwing", "schwer", "piazza", "hotel"}) {
    std::printf("%s:", word.c_str());  // a set may be empty: no language conforms
    for (const caos::Label y : predictors.predict_set(word, alpha)) {
      std::printf(" %s", languages[y].c_str());
    }
    std::printf("\n");
  }
}
