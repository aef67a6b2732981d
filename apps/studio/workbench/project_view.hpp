#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/studio/store/store.hpp"
#include "caos/conformal/subject_weights.hpp"
#include "caos/miscoverage.hpp"

namespace caos::studio {

/// What is known of one image of a project.
struct ImageCard {
  ImageRecord record{};
  Reading reading{};
  bool embedded = false;
  std::string failure{};  ///< why it cannot be embedded; empty: it can, or was not tried
};

/// What a view has read again.
struct Refreshed {
  bool all = false;
  std::set<Id> images{};  ///< unless all; also those that are gone
};

/// A project as the store has it, read again only where something has changed: what one image costs
/// does not depend on how many there are. For one thread at a time.
class ProjectView {
 public:
  ProjectView(Store& store, Id project) : store_(store), id_(project) {}

  /// One image may have come, gone or changed, or with 0 anything may be other than before.
  void note_change(Id image);
  [[nodiscard]] bool is_stale() const { return all_stale_ || !stale_.empty(); }
  /// Reads what is stale. Throws `not_found` once the project is gone.
  Refreshed refresh();

  void note_embedded(Id image, const std::string& failure);

  [[nodiscard]] const Project& project() const { return project_; }
  [[nodiscard]] const std::vector<SchemeLandmark>& scheme() const { return scheme_; }
  [[nodiscard]] const std::map<Id, ImageCard>& images() const { return images_; }
  /// Throws `not_found`.
  [[nodiscard]] const ImageCard& image(Id image) const;
  [[nodiscard]] bool in_sample(const ImageCard& card) const {
    return card.record.in_sample(project_.sampling);
  }

  /// Whether its regions must not be shown.
  [[nodiscard]] bool is_blind(const ImageCard& card) const {
    return card.record.is_blind(project_.sampling);
  }
  /// Whether it is neither in the sample nor in an audit.
  [[nodiscard]] bool is_for_review(const ImageCard& card) const {
    return !in_sample(card) && !card.record.in_audit();
  }

  /// How many images are embedded, or cannot be.
  [[nodiscard]] std::size_t num_embedded() const { return images_.size() - open_.size(); }
  /// How many images to review can be embedded, as far as is known, and how many of them are.
  [[nodiscard]] std::size_t num_reviewable() const { return num_reviewable_; }
  [[nodiscard]] std::size_t num_review_embedded() const { return num_review_embedded_; }
  /// The images that are embedded.
  [[nodiscard]] std::vector<Id> embedded() const;

  /// The images of the sample, in its order.
  [[nodiscard]] std::vector<Id> sample() const;
  /// The place of the first image of the sample that is not labeled; its size if all are.
  [[nodiscard]] std::size_t labeled_up_to() const;
  /// How many planned looks are reached.
  [[nodiscard]] std::size_t looks_reached() const;
  /// The places of the order that calibrate: up to the last look that is reached, or all of the
  /// sample before the first.
  [[nodiscard]] std::size_t calibrating_places() const;
  /// The alpha at which regions carry the guarantee: that of the last look that is reached, or of
  /// the first one before.
  [[nodiscard]] Miscoverage alpha() const;
  /// What is guaranteed at that alpha: with several planned looks the target, as labeling may stop
  /// at any of them.
  [[nodiscard]] Miscoverage guaranteed_alpha() const;
  /// The images that refer and calibrate, if they can be embedded: no two of one subject, and none
  /// of an audit.
  [[nodiscard]] std::vector<Id> labeled() const;
  /// Those of `labeled` that have the subject of this image, or are it.
  [[nodiscard]] std::vector<Id> relatives(const ImageCard& card,
                                          const std::vector<Id>& labeled) const;

  /// Which new image the guarantee is for: without subjects any.
  [[nodiscard]] ImageTarget target() const;
  /// Whether it is one of those that the sample was drawn from; of images that were given, any is.
  [[nodiscard]] bool in_pool(const ImageCard& card) const;
  [[nodiscard]] std::size_t pool_size() const { return pool_size_; }
  /// Images of its subject in the pool; 1 where it is not in the pool itself.
  [[nodiscard]] std::size_t num_pool_images(const ImageCard& card) const;

  /// Whether labeled images are still to be embedded.
  [[nodiscard]] bool is_waiting() const;
  /// The next image to embed: first those of the sample.
  [[nodiscard]] std::optional<Id> next_to_embed() const;

 private:
  [[nodiscard]] bool is_open(Id image) const;
  void read_all();
  void read_image(Id image);
  void put(ImageCard card);
  void take(Id image);
  void list(const ImageCard& card);
  void unlist(const ImageCard& card);
  void count(const ImageCard& card, std::size_t one);

  Store& store_;
  Id id_;
  bool all_stale_ = true;
  std::set<Id> stale_{};
  Project project_{};
  std::vector<SchemeLandmark> scheme_{};
  std::map<Id, ImageCard> images_{};

  // What follows from the images, kept in step with them one by one.
  std::map<std::size_t, Id> sample_{};  ///< by place
  std::set<Id> open_{};                 ///< neither embedded nor failed
  std::size_t pool_size_ = 0;
  std::map<std::string, std::size_t> pool_images_{};  ///< by subject
  std::size_t num_with_subject_ = 0;
  std::size_t num_reviewable_ = 0;
  std::size_t num_review_embedded_ = 0;
};

}  // namespace caos::studio
