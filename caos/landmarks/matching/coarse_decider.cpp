#include "caos/landmarks/matching/coarse_decider.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "caos/landmarks/patches/patch_tasks.hpp"

namespace caos {
namespace {

using kernels::coarse_group;

/// With more landmarks, most queries are in the set of one or another, and no filter helps.
constexpr std::size_t most_filtered_landmarks = 4;

/// The score of a patch that is not proposed yet; no similarity gives it.
constexpr Score unsuitable = std::numeric_limits<Score>::infinity();

/// The sum of a query's k largest coarse similarities, in units.
std::int32_t coarse_sum(const CoarseScratch& scratch, std::size_t q, std::size_t k) {
  std::int32_t sum = 0;
  for (std::size_t j = 0; j < k; ++j) sum += scratch.largest.data()[j * coarse_group + q];
  return sum;
}

/// Makes a patch the proposal if it is better than the one so far.
void improve(Proposal& best, Label patch, Score score, std::span<const Neighbor> nearest) {
  if (std::tie(best.score, best.patch) <= std::tie(score, patch)) return;
  best = {patch, score, {nearest.begin(), nearest.end()}};
}

/// The sets of all images, from those of each.
ImageSets joined(std::vector<ImageSets> parts, std::size_t num_rows) {
  ImageSets all{.num_sets = 0, .starts = {0}};
  for (const ImageSets& part : parts) all.starts.push_back(all.starts.back() + part.starts[1]);
  all.bits = QueryBits(num_rows, num_coarse_groups(all.starts.back()));
  for (std::size_t x = 0; x < parts.size(); ++x) {
    all.num_sets = parts[x].num_sets;
    std::vector<std::uint32_t> numbers(parts[x].starts[1]);
    std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(all.starts[x]));
    all.bits.add(parts[x].bits, numbers);
    all.scos.resize(parts[x].scos.size());
    for (std::size_t t = 0; t < all.scos.size(); ++t) {
      all.scos[t].push_back(std::move(parts[x].scos[t][0]));
    }
  }
  return all;
}

}  // namespace

/// What is being found out about some images.
struct CoarseDecider::Work {
  const ImageBatch& batch;
  MatrixView<const std::int64_t> labels;  ///< of these images
  CoarseScratch& scratch;
  ImageSets sets{};
  std::vector<ImageBatch::Segment> segments{};  ///< of the present group
  std::vector<std::uint32_t> words{};
  std::vector<std::uint32_t> full_words{};
  std::vector<std::uint8_t> conforming{};
};

CoarseDecider::CoarseDecider(const ReferencePatches& references,
                             std::shared_ptr<const CoarseReferences> coarse,
                             const std::vector<LandmarkRules>& rules,
                             const ExpectedImages& expected)
    : CoarseDecider(references, PatchScore(), rules) {
  references_ = std::move(coarse);
  choose_filter(references, expected);
}

CoarseDecider::CoarseDecider(const ReferencePatches& references,
                             std::shared_ptr<const CompetingReferences> competing,
                             const std::vector<LandmarkRules>& rules)
    : CoarseDecider(references, competing->score(), rules) {
  competing_ = std::move(competing);
}

CoarseDecider::CoarseDecider(const ReferencePatches& references, const PatchScore& score,
                             const std::vector<LandmarkRules>& rules)
    : rows_(row_pointers(references.patches.view())),
      dimension_(references.patches.cols()),
      unit_(coarse_unit(score)),
      num_sets_(rules.at(0).num_sets()),
      k_(rules[0].pools.empty() ? 0 : rules[0].pools[0].limits[0].k) {
  for (std::size_t t = 0; t < rules.size(); ++t) {
    landmarks_.push_back(prepare(references.tasks[t], rules[t]));
  }
}

CoarseDecider::Landmark CoarseDecider::prepare(const PatchTask& task,
                                               const LandmarkRules& rules) const {
  Landmark landmark;
  for (const PoolRule& pool : rules.pools) {
    landmark.pools.emplace_back(pool.columns, pool.limits, unit_);
  }
  if (rules.full) {
    landmark.full.emplace(*rules.full->calibration,
                          restricted_to(task, rules.full->calibrating).columns, rules.full->ranks);
    landmark.limits_of_full = rules.full->limits;
  }
  if (rules.scos) landmark.scos.emplace(*rules.scos, unit_);
  return landmark;
}

/// Where nothing is asked for but sets of one pool. By the first images, so that what is wrong with
/// one is found in the order of images.
void CoarseDecider::choose_filter(const ReferencePatches& references,
                                  const ExpectedImages& expected) {
  if (expected.images == nullptr || expected.images->labels.rows() == 0) return;
  if (landmarks_[0].pools.size() != 1 || landmarks_[0].scos) return;
  const auto& directions = expected.num_directions;
  if (directions ? *directions == 0 : landmarks_.size() > most_filtered_landmarks) return;
  const std::size_t num_images = expected.images->labels.rows();
  num_patches_ = expected.images->image(0).rows();
  const std::size_t num_queries = num_images * num_patches_;
  const std::size_t wanted =
      directions ? num_patches_ : filter_sample_size(num_queries, references_->size());
  if (wanted == 0) return;
  CoarseScratch scratch(rows_, dimension_);
  const ImageBatch sample =
      load(*expected.images, 0, std::min((wanted - 1) / num_patches_ + 1, num_images), scratch);
  const CoarseRows coarse(references.patches.view());
  FilterProblem problem{.references = coarse,
                        .rows = rows_,
                        .pools = {},
                        .num_queries = num_queries,
                        .sample = sample.coarse(),
                        .sample_rows = sample.rows()};
  for (const Landmark& landmark : landmarks_) problem.pools.push_back(&landmark.pools[0]);
  filter_ = directions ? make_filter(problem, *directions) : caos::choose_filter(problem);
}

std::size_t CoarseDecider::images_at_once(std::size_t num_patches) const {
  if (competing_) return 1;
  return filter_ ? filtered_images_at_once(num_patches_) : caos::images_at_once(num_patches);
}

ImageBatch CoarseDecider::load(const QueryImages& images, std::size_t first, std::size_t last,
                               CoarseScratch& scratch) const {
  if (!filter_) return {first, last, dimension_, images.image};
  QueryFilter::Scratch of_filter(*filter_, scratch);
  return {first, last, dimension_, images.image,
          [&](const CoarseRows& queries) { return filter_->candidates(queries, of_filter); }};
}

/// Calls `visit(number, group)` for every group of queries, while exact scores are theirs. Where
/// patches compete, they are those of one image.
void CoarseDecider::compare(
    const CoarseRows& queries, std::span<const float* const> rows, CoarseScratch& scratch,
    const std::function<void(std::size_t, const CoarseGroup&)>& visit) const {
  if (!competing_) {
    CoarseSimilarities similarities;
    return compare_in_groups(queries, rows, *references_, similarities, visit);
  }
  if (rows.empty()) return;
  CompetingSimilarities similarities(*competing_);
  similarities.compare({rows[0], rows.size(), dimension_}, queries);
  scratch.exact.compete(&similarities);
  for (std::size_t g = 0; g < similarities.num_groups(); ++g) {
    const std::size_t first = g * coarse_group;
    visit(g, {.similarities = similarities.group(g),
              .errors = similarities.errors(),
              .present = similarities.present(g),
              .rows = rows.subspan(first, std::min(coarse_group, rows.size() - first))});
  }
  scratch.exact.compete(nullptr);
}

// The sets of some images.

ImageSets CoarseDecider::decide(const QueryImages& images, std::size_t first,
                                std::size_t last) const {
  if (!competing_ || last - first == 1) return decide_together(images, first, last);
  std::vector<ImageSets> parts;
  for (std::size_t x = first; x < last; ++x) parts.push_back(decide_together(images, x, x + 1));
  return joined(std::move(parts), landmarks_.size() * num_sets_);
}

/// Where patches compete, one image.
ImageSets CoarseDecider::decide_together(const QueryImages& images, std::size_t first,
                                         std::size_t last) const {
  CoarseScratch scratch(rows_, dimension_);
  const ImageBatch batch = load(images, first, last, scratch);
  Work work{
      .batch = batch, .labels = images.labels.rows_from(first, last - first), .scratch = scratch};
  work.sets.num_sets = num_sets_;
  for (std::size_t i = 0; i <= batch.num_images(); ++i) work.sets.starts.push_back(batch.start(i));
  work.sets.bits = QueryBits(landmarks_.size() * num_sets_, batch.num_groups());
  for (const Landmark& landmark : landmarks_) {
    if (!landmark.scos) break;
    const std::size_t cells = landmark.scos->num_cells();
    work.sets.scos.emplace_back(batch.num_images(), ScosCounts{std::vector<std::uint32_t>(cells),
                                                               std::vector<bool>(cells)});
  }
  compare(batch.coarse(), batch.rows(), scratch, [&](std::size_t g, const CoarseGroup& group) {
    if (!work.sets.scos.empty()) work.segments = batch.segments(g);
    for (std::size_t t = 0; t < landmarks_.size(); ++t) decide(t, g, group, work);
  });
  if (filter_) {
    // From candidates to queries; the others are in no set.
    work.sets.bits =
        work.sets.bits.renumbered(batch.candidates(), num_coarse_groups(batch.num_queries()));
  }
  return std::move(work.sets);
}

/// One group of queries, one landmark.
void CoarseDecider::decide(std::size_t t, std::size_t g, const CoarseGroup& group,
                           Work& work) const {
  const Landmark& landmark = landmarks_[t];
  std::size_t row = work.sets.row(t, 0);
  for (std::size_t p = 0; p < landmark.pools.size(); ++p) {
    work.words.resize(landmark.pools[p].num_limits());
    landmark.pools[p].decide(group, work.scratch, work.words);
    for (const std::uint32_t word : work.words) work.sets.bits.put(row++, g, word);
    // While the first pool's similarities are there.
    if (p == 0 && landmark.full) decide_full(t, g, group, work);
  }
  if (landmark.scos) count_scos(t, g, group, work);
}

/// From `work.words`, which hold the CAOS sets: what does not conform is taken out of them.
void CoarseDecider::decide_full(std::size_t t, std::size_t g, const CoarseGroup& group,
                                Work& work) const {
  const Landmark& landmark = landmarks_[t];
  const std::size_t num_alphas = landmark.limits_of_full.size();
  work.full_words.clear();
  work.conforming.resize(num_alphas);
  std::uint32_t members = 0;
  for (const std::size_t limit : landmark.limits_of_full) {
    work.full_words.push_back(work.words[limit]);
    members |= work.words[limit];
  }
  for (; members != 0; members &= members - 1) {
    const auto q = static_cast<std::size_t>(std::countr_zero(members));
    for (std::size_t a = 0; a < num_alphas; ++a) {
      work.conforming[a] = static_cast<std::uint8_t>(work.full_words[a] >> q & 1U);
    }
    landmark.full->decide(landmark.pools[0], group, work.scratch, q, work.conforming);
    for (std::size_t a = 0; a < num_alphas; ++a) {
      if (work.conforming[a] == 0) work.full_words[a] &= ~(std::uint32_t{1} << q);
    }
  }
  for (std::size_t a = 0; a < num_alphas; ++a) {
    work.sets.bits.put(work.sets.row(t, num_sets_ - num_alphas + a), g, work.full_words[a]);
  }
}

void CoarseDecider::count_scos(std::size_t t, std::size_t g, const CoarseGroup& group,
                               Work& work) const {
  work.words.resize(landmarks_[t].scos->num_cells());
  landmarks_[t].scos->decide(group, work.scratch, work.words);
  for (const ImageBatch::Segment& segment : work.segments) {
    const std::int64_t label = work.labels(segment.image, t);
    if (label == missing_label) continue;
    ScosCounts& counts = work.sets.scos[t][segment.image];
    kernels::add_bit_counts(work.words, segment.bits, counts.sizes.data());
    const std::size_t truth = work.batch.start(segment.image) + static_cast<std::size_t>(label);
    if (truth / coarse_group != g) continue;
    for (std::size_t w = 0; w < work.words.size(); ++w) {
      counts.covers[w] = (work.words[w] >> truth % coarse_group & 1U) != 0;
    }
  }
}

// Members and proposals of one image.

std::vector<LandmarkCandidates> CoarseDecider::candidates(const QueryImage& query,
                                                          const std::vector<bool>& suitable) const {
  std::vector<LandmarkCandidates> result(landmarks_.size());
  for (LandmarkCandidates& candidates : result) candidates.proposal.score = unsuitable;
  const MatrixView<const float> image = query.patches;
  const CoarseRows queries(image);
  const std::vector<const float*> query_rows = row_pointers(image);
  CoarseScratch scratch(rows_, dimension_);
  const bool none_suits = std::ranges::find(suitable, true) == suitable.end();
  compare(queries, query_rows, scratch, [&](std::size_t number, CoarseGroup group) {
    const std::size_t first = number * coarse_group;
    for (std::size_t q = 0; q < group.rows.size(); ++q) {
      if (!suitable[first + q]) group.present &= ~(std::uint32_t{1} << q);
    }
    for (std::size_t t = 0; t < landmarks_.size(); ++t) {
      add_members(landmarks_[t], first, group, scratch, result[t]);
      improve_proposal(landmarks_[t], first, group, scratch, result[t]);
      if (none_suits && number == 0) {
        result[t].proposal = proposal_of_none(landmarks_[t], group.rows[0], scratch);
      }
    }
  });
  return result;
}

void CoarseDecider::add_members(const Landmark& landmark, std::size_t first,
                                const CoarseGroup& group, CoarseScratch& scratch,
                                LandmarkCandidates& candidates) const {
  const CoarsePool& pool = landmark.pools[0];
  std::uint32_t word = 0;
  pool.decide(group, scratch, {&word, 1});
  for (; word != 0; word &= word - 1) {
    const auto q = static_cast<std::size_t>(std::countr_zero(word));
    const auto nearest = scratch.exact.nearest(pool.query(group, scratch, q, k_), k_);
    LandmarkCandidates::Member member{static_cast<Label>(first + q), sum_of_nearest(nearest, k_),
                                      0};
    improve(candidates.proposal, member.patch, member.score, nearest);
    if (landmark.full) member.below = landmark.full->below(group, scratch, q, member.score);
    candidates.members.push_back(member);
  }
}

/// Members have been looked at; other patches matter only while none of them is a member.
void CoarseDecider::improve_proposal(const Landmark& landmark, std::size_t first,
                                     const CoarseGroup& group, CoarseScratch& scratch,
                                     LandmarkCandidates& candidates) const {
  if (!candidates.members.empty()) return;
  std::vector<std::pair<std::int32_t, std::size_t>> likely;  // the most similar first
  for (std::uint32_t left = group.present; left != 0; left &= left - 1) {
    const auto q = static_cast<std::size_t>(std::countr_zero(left));
    likely.emplace_back(-coarse_sum(scratch, q, k_), q);
  }
  std::ranges::sort(likely);
  for (const auto& [negative_sum, q] : likely) {
    const auto slack = static_cast<std::int32_t>(k_) * group.errors[q] + 1;
    if (!candidates.proposal.supporting_references.empty() &&
        -negative_sum + slack < coarse_limit(k_, candidates.proposal.score, unit_)) {
      continue;
    }
    const auto nearest = scratch.exact.nearest(landmark.pools[0].query(group, scratch, q, k_), k_);
    improve(candidates.proposal, static_cast<Label>(first + q), sum_of_nearest(nearest, k_),
            nearest);
  }
}

/// Where no patch is suitable: the first one, with a score that says so.
Proposal CoarseDecider::proposal_of_none(const Landmark& landmark, const float* row,
                                         CoarseScratch& scratch) const {
  const std::span<const std::uint32_t> columns = landmark.pools[0].columns();
  std::vector<Score> scores(columns.size());
  scratch.exact.scores(row, columns, scores.data());
  return {.patch = 0, .score = unsuitable, .supporting_references = nearest_in(scores, k_)};
}

}  // namespace caos
