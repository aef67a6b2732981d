#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "caos/landmarks/evaluation/image_evaluator.hpp"
#include "caos/landmarks/matching/coarse_full.hpp"
#include "caos/landmarks/matching/coarse_pool.hpp"
#include "caos/landmarks/matching/coarse_scos.hpp"
#include "caos/landmarks/matching/image_batch.hpp"
#include "caos/landmarks/matching/query_bits.hpp"
#include "caos/landmarks/matching/query_filter.hpp"

namespace caos {
namespace {

/// Which CAOS set a limit of a pool stands for.
struct CaosLimit {
  std::size_t k = 0;
  std::size_t a = 0;               ///< alpha
  std::optional<std::size_t> v{};  ///< 0: the k asked for, else of the ablation; none: jointly
};

/// The SCOS sets of one image, [references, alphas].
struct ScosCells {
  std::vector<std::uint32_t> sizes{};
  std::vector<bool> covers{};
};

/// One landmark's methods, ready for coarse similarities.
struct CoarseTask {
  CoarsePool caos;
  std::optional<CoarseFull> full{};
  std::vector<CoarsePool> splits{};  ///< as the landmark's split families
  std::optional<CoarseScos> scos{};
};

class CoarseEvaluator final : public ImageEvaluator {
 public:
  CoarseEvaluator(const CalibratedLandmarks& landmarks, const TestPatches& test,
                  const Filtering& filtering)
      : landmarks_(landmarks),
        test_(test),
        references_(*landmarks.coarse, landmarks.options.threads),
        rows_(row_pointers(landmarks.references.patches.view())),
        limits_(caos_limits()) {
    for (std::size_t t = 0; t < landmarks.num_tasks(); ++t) tasks_.push_back(prepare(t));
    if (!may_filter(filtering)) return;
    num_patches_ = checked_image(landmarks_, test_, 0).rows();
    filter_ = filter_for(filtering);
  }

  [[nodiscard]] std::size_t images_at_once() const override {
    if (filter_) return filtered_images_at_once(num_patches_);
    return caos::images_at_once(landmarks_.labeled.images.at(0).rows());
  }

  void evaluate(std::size_t first, std::size_t last, LandmarkTally& tally) const override {
    CoarseScratch scratch(rows_, references_.dimension());
    const ImageBatch images = load(first, last, scratch);
    Batch batch(*this, images, first);
    images.compare(references_, [&](std::size_t g, const CoarseGroup& group) {
      for (std::size_t t = 0; t < tasks_.size(); ++t) decide(t, g, group, scratch, batch, tally);
    });
    if (filter_) batch.renumber();
    for (std::size_t i = 0; i < images.num_images(); ++i) record_image(batch, i, tally);
  }

 private:
  [[nodiscard]] ImageBatch load(std::size_t first, std::size_t last, CoarseScratch& scratch) const {
    const auto image = [&](std::size_t x) { return checked_image(landmarks_, test_, x); };
    if (!filter_) return {first, last, references_.dimension(), image};
    QueryFilter::Scratch of_filter(*filter_, scratch);
    return {first, last, references_.dimension(), image,
            [&](const CoarseRows& queries) { return filter_->candidates(queries, of_filter); }};
  }

  /// What is being found out about some images.
  struct Batch {
    Batch(const CoarseEvaluator& all, const ImageBatch& some_images, std::size_t first_image)
        : images(some_images),
          first(first_image),
          caos(all.tasks_.size() * all.limits_.size(), images.num_groups()),
          full(all.wants_full() ? all.tasks_.size() * all.num_alphas() : 0, images.num_groups()),
          splits(all.num_splits() * all.tasks_.size() * all.num_alphas(), images.num_groups()) {
      if (!all.tasks_[0].scos) return;
      for (const CoarseTask& task : all.tasks_) {
        const std::size_t cells = task.scos->num_references() * all.num_alphas();
        scos.emplace_back(images.num_images(),
                          ScosCells{std::vector<std::uint32_t>(cells), std::vector<bool>(cells)});
      }
    }

    /// From candidates to queries; the others are in no set.
    void renumber() {
      const std::size_t num_groups = num_coarse_groups(images.num_queries());
      caos = caos.renumbered(images.candidates(), num_groups);
      full = full.renumbered(images.candidates(), num_groups);
    }

    const ImageBatch& images;
    std::size_t first;
    QueryBits caos;                              ///< [tasks, limits]
    QueryBits full;                              ///< [tasks, alphas]
    QueryBits splits;                            ///< [tasks, split methods, alphas]
    std::vector<std::vector<ScosCells>> scos{};  ///< by task, then image
    std::vector<std::uint32_t> words{};
    std::vector<std::uint32_t> full_words{};
    std::vector<std::uint8_t> conforming{};
  };

  [[nodiscard]] std::size_t num_alphas() const { return landmarks_.num_alphas(); }
  [[nodiscard]] bool wants_full() const { return landmarks_.wants(Method::full_caos); }
  [[nodiscard]] std::size_t num_splits() const { return landmarks_.methods[0].splits.size(); }

  // Before any image.

  /// Whether nothing is asked for but sets of CAOS, of few landmarks: with many, most queries are
  /// in the set of one or the other.
  [[nodiscard]] bool may_filter(const Filtering& filtering) const {
    constexpr std::size_t most_landmarks = 4;
    return num_splits() == 0 && !landmarks_.methods[0].scos && test_.size() > 0 &&
           (filtering.num_directions.value_or(0) > 0 ||
            (!filtering.num_directions && tasks_.size() <= most_landmarks));
  }

  /// By the first test images, so that what is wrong with one is found in the order of images.
  [[nodiscard]] std::optional<QueryFilter> filter_for(const Filtering& filtering) const {
    const std::size_t num_queries = test_.size() * num_patches_;
    const std::size_t wanted = filtering.num_directions
                                   ? num_patches_
                                   : filter_sample_size(num_queries, references_.size());
    if (wanted == 0) return std::nullopt;
    CoarseScratch scratch(rows_, references_.dimension());
    const ImageBatch images =
        load(0, std::min((wanted - 1) / num_patches_ + 1, test_.size()), scratch);
    FilterProblem problem{.references = *landmarks_.coarse,
                          .rows = rows_,
                          .pools = {},
                          .num_queries = num_queries,
                          .sample = images.coarse(),
                          .sample_rows = images.rows()};
    for (const CoarseTask& task : tasks_) problem.pools.push_back(&task.caos);
    return filtering.num_directions ? make_filter(problem, *filtering.num_directions)
                                    : choose_filter(problem);
  }

  [[nodiscard]] std::vector<CaosLimit> caos_limits() const {
    std::vector<CaosLimit> limits;
    const std::vector<CaosSets>& caos = landmarks_.methods[0].caos;
    for (std::size_t a = 0; a < num_alphas(); ++a) {
      for (std::size_t v = 0; v < caos.size(); ++v) {
        limits.push_back({caos[v].calibration().k(), a, v});
      }
      if (landmarks_.joint) limits.push_back({caos[0].calibration().k(), a, std::nullopt});
    }
    std::ranges::stable_sort(limits, {}, &CaosLimit::k);
    return limits;
  }

  [[nodiscard]] Score threshold(const CaosLimit& limit, std::size_t t) const {
    const Miscoverage& alpha = landmarks_.options.alphas[limit.a];
    const RankRule rule = landmarks_.options.rule;
    if (!limit.v) return landmarks_.joint->threshold(alpha, rule);
    return landmarks_.methods[t].caos[*limit.v].calibration().threshold(alpha, 0, rule);
  }

  [[nodiscard]] CoarseTask prepare(std::size_t t) const {
    const PatchTask& task = landmarks_.references.tasks[t];
    const LandmarkMethods& methods = landmarks_.methods[t];
    std::vector<CoarsePool::Limit> limits;
    for (const CaosLimit& limit : limits_) limits.push_back({limit.k, threshold(limit, t)});
    CoarseTask result{.caos = {task.columns, std::move(limits)}};
    if (wants_full()) {
      const Calibration& calibration = methods.caos[0].calibration();
      std::vector<std::size_t> ranks;
      for (const Miscoverage& alpha : landmarks_.options.alphas) {
        ranks.push_back(calibration.group(0).rank(alpha, landmarks_.options.rule));
      }
      result.full.emplace(calibration, restricted_to(task, methods.calibrating).columns,
                          std::move(ranks));
    }
    for (const auto& family : methods.splits) result.splits.push_back(split_pool(task, *family));
    if (methods.scos) {
      result.scos.emplace(task, methods.family_options->partition.references,
                          methods.scos->thresholds());
    }
    return result;
  }

  [[nodiscard]] CoarsePool split_pool(const PatchTask& task, const SplitCaosFamily& family) const {
    const split::SplitCaos& split = family.split();
    std::vector<CoarsePool::Limit> limits;
    for (const MethodResult& result : family.results()) {
      limits.push_back({split.calibration.k(), *result.threshold});
    }
    return {restricted_to(task, split.references).columns, std::move(limits)};
  }

  // One group of queries, one landmark.

  void decide(std::size_t t, std::size_t g, const CoarseGroup& group, CoarseScratch& scratch,
              Batch& batch, const LandmarkTally& tally) const {
    const CoarseTask& task = tasks_[t];
    batch.words.resize(limits_.size());
    task.caos.decide(group, scratch, batch.words);
    for (std::size_t l = 0; l < limits_.size(); ++l) {
      batch.caos.put(t * limits_.size() + l, g, batch.words[l]);
    }
    if (task.full) decide_full(t, g, group, scratch, batch);
    for (std::size_t s = 0; s < task.splits.size(); ++s) {
      batch.words.resize(num_alphas());
      task.splits[s].decide(group, scratch, batch.words);
      for (std::size_t a = 0; a < num_alphas(); ++a) {
        batch.splits.put((t * num_splits() + s) * num_alphas() + a, g, batch.words[a]);
      }
    }
    if (task.scos) decide_scos(t, g, group, scratch, batch, tally);
  }

  /// From `batch.words`, which hold the CAOS sets: what does not conform is taken out of them.
  void decide_full(std::size_t t, std::size_t g, const CoarseGroup& group, CoarseScratch& scratch,
                   Batch& batch) const {
    batch.full_words.resize(num_alphas());
    batch.conforming.resize(num_alphas());
    std::uint32_t members = 0;
    for (std::size_t l = 0; l < limits_.size(); ++l) {
      if (limits_[l].v != std::size_t{0}) continue;
      batch.full_words[limits_[l].a] = batch.words[l];
      members |= batch.words[l];
    }
    for (; members != 0; members &= members - 1) {
      const auto q = static_cast<std::size_t>(std::countr_zero(members));
      for (std::size_t a = 0; a < num_alphas(); ++a) {
        batch.conforming[a] = static_cast<std::uint8_t>(batch.full_words[a] >> q & 1U);
      }
      tasks_[t].full->decide(tasks_[t].caos, group, scratch, q, batch.conforming);
      for (std::size_t a = 0; a < num_alphas(); ++a) {
        if (batch.conforming[a] == 0) batch.full_words[a] &= ~(std::uint32_t{1} << q);
      }
    }
    for (std::size_t a = 0; a < num_alphas(); ++a) {
      batch.full.put(t * num_alphas() + a, g, batch.full_words[a]);
    }
  }

  void decide_scos(std::size_t t, std::size_t g, const CoarseGroup& group, CoarseScratch& scratch,
                   Batch& batch, const LandmarkTally& tally) const {
    const CoarseScos& scos = *tasks_[t].scos;
    batch.words.resize(scos.num_references() * num_alphas());
    scos.decide(group, scratch, batch.words);
    for (const ImageBatch::Segment& segment : batch.images.segments(g)) {
      const std::size_t x = batch.first + segment.image;
      if (!tally.has(x, t)) continue;
      ScosCells& cells = batch.scos[t][segment.image];
      kernels::add_bit_counts(batch.words, segment.bits, cells.sizes.data());
      const std::size_t truth = batch.images.start(segment.image) + tally.truth(x, t);
      if (truth / kernels::coarse_group != g) continue;
      for (std::size_t w = 0; w < batch.words.size(); ++w) {
        cells.covers[w] = (batch.words[w] >> truth % kernels::coarse_group & 1U) != 0;
      }
    }
  }

  // One image, all groups being known.

  void record_image(const Batch& batch, std::size_t i, LandmarkTally& tally) const {
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      keep_sets(batch, i, t, tally);
      if (!tally.has(batch.first + i, t)) continue;
      record_caos(batch, i, t, tally);
      record_splits(batch, i, t, tally);
    }
  }

  void keep_sets(const Batch& batch, std::size_t i, std::size_t t, LandmarkTally& tally) const {
    const std::size_t begin = batch.images.start(i);
    const std::size_t end = batch.images.start(i + 1);
    const std::size_t x = batch.first + i;
    if (tally.keeps(Method::caos)) {
      for (std::size_t l = 0; l < limits_.size(); ++l) {
        if (limits_[l].v != std::size_t{0}) continue;
        tally.keep(limits_[l].a, x, t, batch.caos.set(t * limits_.size() + l, begin, end));
      }
    }
    for (std::size_t a = 0; tally.keeps(Method::full_caos) && a < num_alphas(); ++a) {
      tally.keep(a, x, t, batch.full.set(t * num_alphas() + a, begin, end));
    }
  }

  void record_caos(const Batch& batch, std::size_t i, std::size_t t, LandmarkTally& tally) const {
    const std::size_t begin = batch.images.start(i);
    const std::size_t end = batch.images.start(i + 1);
    const std::size_t x = batch.first + i;
    const Label truth = tally.truth(x, t);
    const bool with_caos = landmarks_.wants(Method::caos);
    for (std::size_t l = 0; l < limits_.size(); ++l) {
      const CaosLimit& limit = limits_[l];
      const std::size_t row = t * limits_.size() + l;
      const Outcome outcome = batch.caos.outcome(row, begin, end, truth);
      if (!limit.v) {
        const std::size_t own = t * limits_.size() + own_limit(limit.a);
        tally.record_jointly(limit.a, x, outcome, batch.caos.holds(own, begin + truth));
      } else if (*limit.v > 0) {
        tally.record_ablation(*limit.v, limit.a, x, t, outcome);
      } else if (with_caos) {
        tally.record(tally.slot(Method::caos), limit.a, x, t, outcome);
      }
    }
    for (std::size_t a = 0; wants_full() && a < num_alphas(); ++a) {
      tally.record(tally.slot(Method::full_caos), a, x, t,
                   batch.full.outcome(t * num_alphas() + a, begin, end, truth));
    }
  }

  /// The limit of the landmark's own CAOS set at an alpha.
  [[nodiscard]] std::size_t own_limit(std::size_t a) const {
    const auto found = std::ranges::find_if(
        limits_, [&](const CaosLimit& limit) { return limit.v == std::size_t{0} && limit.a == a; });
    return static_cast<std::size_t>(found - limits_.begin());
  }

  void record_splits(const Batch& batch, std::size_t i, std::size_t t, LandmarkTally& tally) const {
    const std::size_t x = batch.first + i;
    const LandmarkMethods& methods = landmarks_.methods[t];
    std::vector<Outcome> outcomes;
    for (std::size_t s = 0; s < methods.splits.size(); ++s) {
      outcomes.resize(num_alphas());
      for (std::size_t a = 0; a < num_alphas(); ++a) {
        outcomes[a] =
            batch.splits.outcome((t * num_splits() + s) * num_alphas() + a, batch.images.start(i),
                                 batch.images.start(i + 1), tally.truth(x, t));
      }
      tally.record(*methods.splits[s], x, t, outcomes);
    }
    if (!methods.scos) return;
    outcomes.resize(methods.scos->results().size());
    methods.scos->measure(scos_tallies(batch.scos[t][i]), outcomes);
    tally.record(*methods.scos, x, t, outcomes);
  }

  /// By alpha.
  [[nodiscard]] std::vector<split::ScosTally> scos_tallies(const ScosCells& cells) const {
    std::vector<split::ScosTally> tallies(num_alphas());
    for (std::size_t cell = 0; cell < cells.sizes.size(); ++cell) {
      split::ScosTally& tally = tallies[cell % num_alphas()];
      tally.sizes.push_back(cells.sizes[cell]);
      tally.covers.push_back(cells.covers[cell] ? 1 : 0);
    }
    return tallies;
  }

  const CalibratedLandmarks& landmarks_;
  const TestPatches& test_;
  CoarseReferences references_;
  std::vector<const float*> rows_;
  std::vector<CaosLimit> limits_;  ///< of every landmark's pool, k ascending
  std::vector<CoarseTask> tasks_;
  std::size_t num_patches_ = 0;  ///< of the first test image, where a filter was thought of
  std::optional<QueryFilter> filter_;
};

}  // namespace

std::unique_ptr<ImageEvaluator> coarse_evaluator(const CalibratedLandmarks& landmarks,
                                                 const TestPatches& test, Filtering filtering) {
  return std::make_unique<CoarseEvaluator>(landmarks, test, filtering);
}

}  // namespace caos
