#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "apps/studio/store/database/ask.hpp"
#include "tests/studio/store/store_fixture.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::StoreFixture;
using testing::ElementsAre;
using testing::SizeIs;

const std::string fingerprint(64, 'a');

/// The images in the random order.
std::vector<ImageRecord> ordered(StoreFixture& store) {
  std::vector<ImageRecord> images = store->images(store.project);
  std::ranges::sort(images, {}, &ImageRecord::order);
  return images;
}

std::vector<std::size_t> places_of(StoreFixture& store, AuditRole role) {
  std::vector<std::size_t> places;
  for (const ImageRecord& image : ordered(store)) {
    if (image.audit == role) places.push_back(*image.order);
  }
  return places;
}

/// A project of `count` images whose sample of `size` is labeled.
void draw_and_label(StoreFixture& store, int count, std::size_t size,
                    const std::vector<std::string>& subjects = {}) {
  store.add_images(count, subjects);
  store->draw_sample(store.project, size, 5);
  for (std::size_t i = 0; i < size; ++i) store.complete(ordered(store)[i].id);
}

void complete_audit(StoreFixture& store) {
  for (const ImageRecord& image : ordered(store)) {
    if (image.audit == AuditRole::open) store.complete(image.id);
  }
}

TEST(StoreAudit, TakesTheNextImagesOfTheRandomOrder) {
  StoreFixture store;
  draw_and_label(store, 12, 4);
  EXPECT_EQ(store->audit_limits(store.project).population, 8U);
  EXPECT_EQ(store->audit_limits(store.project).largest, 8U);
  const Audit audit = store->begin_audit(store.project, 3, "0.1", fingerprint);
  EXPECT_TRUE(audit.is_open());
  EXPECT_EQ(audit.size, 3U);
  EXPECT_EQ(audit.population, 8U);
  EXPECT_EQ(audit.alpha, "0.1");
  EXPECT_FALSE(audit.by_subject);
  EXPECT_EQ(audit.calibration, fingerprint);
  EXPECT_THAT(places_of(store, AuditRole::open), ElementsAre(4, 5, 6));
  store.reopen();
  EXPECT_THAT(store->audits(store.project), ElementsAre(audit));
}

TEST(StoreAudit, IsOfSubjectsWhereThereAreAny) {
  StoreFixture store;
  draw_and_label(store, 9, 2, {"a", "a", "a", "b", "c", "c", "d", "e", "e"});
  EXPECT_EQ(store->audit_limits(store.project).population, 3U);
  const Audit audit = store->begin_audit(store.project, 2, "0.1", fingerprint);
  EXPECT_TRUE(audit.by_subject);
  EXPECT_EQ(audit.population, 3U);
  std::set<std::string> subjects;
  for (const ImageRecord& image : ordered(store)) {
    if (*image.order < 4) subjects.insert(*image.subject);
  }
  EXPECT_THAT(subjects, SizeIs(4));  // two of the sample and two others
  expect_error([&] { store->begin_audit(store.project, 4, "0.1", fingerprint); },
               ErrorKind::invalid_input, {"an audit is open"});
}

TEST(StoreAudit, DoesNotPassOverImagesThatAreGone) {
  StoreFixture store;
  draw_and_label(store, 8, 2);
  store->remove_image(store.project, ordered(store)[3].id);
  EXPECT_EQ(store->audit_limits(store.project).population, 6U);
  EXPECT_EQ(store->audit_limits(store.project).largest, 1U);
  expect_error([&] { store->begin_audit(store.project, 3, "0.1", fingerprint); },
               ErrorKind::invalid_input, {"number 4 of the order was removed", "at most 1"});
  EXPECT_EQ(store->begin_audit(store.project, 1, "0.1", fingerprint).population, 6U);
  EXPECT_THAT(places_of(store, AuditRole::open), ElementsAre(2));
  store->discard_audit(store.project);
  EXPECT_THAT(store->audit_limits(store.project).why_none, testing::HasSubstr("removed"));
}

TEST(StoreAudit, CountsImagesThatAreGoneInItsPopulation) {
  StoreFixture store;
  draw_and_label(store, 9, 2, {"a", "a", "a", "b", "c", "c", "d", "e", "e"});
  // Two of the three that may be audited, and one of the others of their subjects.
  for (const std::size_t place : {5U, 4U, 3U}) {
    store->remove_image(store.project, ordered(store)[place].id);
  }
  EXPECT_EQ(store->audit_limits(store.project).population, 3U);
  EXPECT_EQ(store->begin_audit(store.project, 1, "0.1", fingerprint).population, 3U);
}

TEST(StoreAudit, BeginsOnlyWhereItsResultWouldBeTrue) {
  StoreFixture store;
  store.add_images(8);
  const auto begin = [&](std::size_t size) {
    return [&store, size] { store->begin_audit(store.project, size, "0.1", fingerprint); };
  };
  expect_error(begin(2), ErrorKind::invalid_input, {"draw a random sample"});
  EXPECT_NE(store->audit_limits(store.project).why_none, "");
  store->draw_sample(store.project, 3, 5);
  store.complete(ordered(store)[0].id);
  store.complete(ordered(store)[1].id);
  expect_error(begin(2), ErrorKind::invalid_input,
               {"label the whole sample", ordered(store)[2].name});
  store.complete(ordered(store)[2].id);
  EXPECT_EQ(store->audit_limits(store.project).why_none, "");
  expect_error(begin(0), ErrorKind::invalid_input, {"between 1 and 5"});
  expect_error(begin(6), ErrorKind::invalid_input, {"between 1 and 5"});
  // A region that was shown spoils the audits that contain it.
  store->mark_seen(store.project, ordered(store)[5].id);
  EXPECT_EQ(store->audit_limits(store.project).largest, 2U);
  expect_error(begin(3), ErrorKind::invalid_input, {ordered(store)[5].name, "shown"});
  EXPECT_THAT(store->audits(store.project), SizeIs(0));
  begin(2)();
  EXPECT_THAT(store->audits(store.project), SizeIs(1));
}

TEST(StoreAudit, CannotBeOfImagesThatWereGiven) {
  StoreFixture store;
  for (const Id image : store.add_images(4)) store.complete(image);
  store->take_labeled_as_sample(store.project, 1);
  expect_error([&] { store->begin_audit(store.project, 1, "0.1", fingerprint); },
               ErrorKind::invalid_input, {"draw a random sample"});
}

TEST(StoreAudit, ItsImagesAreLabeledBlindAndStay) {
  StoreFixture store;
  draw_and_label(store, 8, 3);
  store->begin_audit(store.project, 2, "0.1", fingerprint);
  const Id image = ordered(store)[3].id;
  for (const Source source : {Source::accept, Source::correct}) {
    Change change = store.placing(image, 0, 1, 2);
    change.source = source;
    expect_error([&] { store->apply(store.project, change); }, ErrorKind::invalid_input,
                 {"in the audit", "blind"});
  }
  EXPECT_TRUE(store->apply(store.project, store.placing(image, 0, 1, 2)).applied);
  expect_error([&] { store->mark_seen(store.project, image); }, ErrorKind::invalid_input,
               {"without sight of regions"});
  expect_error([&] { store->remove_image(store.project, image); }, ErrorKind::invalid_input,
               {"discard the audit"});
  store->mark_seen(store.project, ordered(store)[5].id);
}

TEST(StoreAudit, KeepsTheSampleAsItIs) {
  StoreFixture store;
  draw_and_label(store, 9, 3);
  store->begin_audit(store.project, 2, "0.1", fingerprint);
  expect_error([&] { store->draw_sample(store.project, 4, 0); }, ErrorKind::invalid_input,
               {"an audit is open"});
  complete_audit(store);
  store->finish_audit(store.project, fingerprint, {});
  expect_error([&] { store->draw_sample(store.project, 6, 0); }, ErrorKind::invalid_input,
               {"after an audit", "stay out of the calibration"});
}

TEST(StoreAudit, EndsWithItsResultAndFreezesLabels) {
  StoreFixture store;
  draw_and_label(store, 9, 3);
  const std::vector<AuditedLandmark> found = {{.name = "nose", .missed = {"4.png"}, .absent = 1},
                                              {.name = "chin"}};
  expect_error([&] { store->finish_audit(store.project, fingerprint, found); },
               ErrorKind::invalid_input, {"no audit is open"});
  store->begin_audit(store.project, 2, "0.1", fingerprint);
  const Id image = ordered(store)[3].id;
  store.complete(image);
  expect_error([&] { store->finish_audit(store.project, fingerprint, found); },
               ErrorKind::invalid_input, {"1 of 2 images"});
  complete_audit(store);
  expect_error([&] { store->finish_audit(store.project, std::string(64, 'b'), found); },
               ErrorKind::invalid_input, {"the calibration changed"});
  const Audit audit = store->finish_audit(store.project, fingerprint, found);
  EXPECT_FALSE(audit.finished_at.empty());
  EXPECT_EQ(audit.landmarks, found);
  EXPECT_EQ(audit.num_images_missed(), 1U);
  store.reopen();
  EXPECT_THAT(store->audits(store.project), ElementsAre(audit));
  EXPECT_THAT(places_of(store, AuditRole::finished), ElementsAre(3, 4));
  expect_error([&] { store->apply(store.project, store.placing(image, 0, 3, 3)); },
               ErrorKind::invalid_input, {"frozen"});
  Change second = store.placing(image, 0, 3, 3);
  second.reading = 2;
  second.base = 0;
  EXPECT_TRUE(store->apply(store.project, second).applied);
}

TEST(StoreAudit, OneThatWasDiscardedFreesItsImagesButIsNotUsedAgain) {
  StoreFixture store;
  draw_and_label(store, 10, 3);
  store->begin_audit(store.project, 2, "0.1", fingerprint);
  EXPECT_FALSE(store->discard_audit(store.project).discarded_at.empty());
  EXPECT_THAT(places_of(store, AuditRole::open), SizeIs(0));
  expect_error([&] { store->discard_audit(store.project); }, ErrorKind::invalid_input,
               {"no audit is open"});
  EXPECT_EQ(store->begin_audit(store.project, 3, "0.1", fingerprint).population, 5U);
  EXPECT_THAT(places_of(store, AuditRole::open), ElementsAre(5, 6, 7));
  store->discard_audit(store.project);
  // Images that were labeled blind may calibrate, as long as no audit used them.
  EXPECT_EQ(store->draw_sample(store.project, 6, 0).sampling.size, 6U);
}

TEST(StoreAudit, IsInTheSnapshotAndComesBack) {
  StoreFixture store;
  draw_and_label(store, 9, 3);
  store->begin_audit(store.project, 2, "0.1", fingerprint);
  complete_audit(store);
  store->finish_audit(store.project, fingerprint, {{.name = "nose", .missed = {"4.png"}}});
  store->begin_audit(store.project, 2, "0.1", fingerprint);
  const ProjectSnapshot snapshot = store->snapshot(store.project);
  ASSERT_THAT(snapshot.audits, SizeIs(2));
  std::map<std::string, std::vector<std::byte>> bytes;
  for (int i = 0; i < 9; ++i) {
    for (const ImageRecord& image : store->images(store.project)) {
      if (image.name == fmt::format("{}.png", i)) bytes[image.sha256] = test::png(i);
    }
  }
  const auto bytes_of = [&](const std::string& sha256) { return bytes.at(sha256); };
  const Project restored = store->restore(snapshot, bytes_of);
  EXPECT_EQ(store->snapshot(restored.id).audits, snapshot.audits);
  EXPECT_EQ(store->images(restored.id).size(), 9U);

  const auto refuse = [&](auto&& spoil, const std::string& said) {
    ProjectSnapshot wrong = snapshot;
    spoil(wrong);
    expect_error([&] { store->restore(wrong, bytes_of); }, ErrorKind::bad_format, {said});
  };
  refuse([](auto& wrong) { wrong.audits[1].first = 4; }, "places of its own");
  refuse([](auto& wrong) { wrong.audits[0].first = 2; }, "places of its own");
  refuse([](auto& wrong) { wrong.audits[0].size = 3; }, "places of its own");
  refuse([](auto& wrong) { wrong.audits[0].calibration = "x"; }, "which regions");
  refuse([](auto& wrong) { wrong.audits[0].finished_at = ""; }, "another one follows");
  refuse([](auto& wrong) { wrong.audits[0].discarded_at = wrong.audits[0].begun_at; }, "twice");
  refuse([](auto& wrong) { wrong.audits[0].landmarks[0].absent = 2; }, "more misses");
  refuse([](auto& wrong) { wrong.audits[0].landmarks[0].missed.push_back("4.png"); },
         "more misses");
  refuse([](auto& wrong) { wrong.audits[1].landmarks = wrong.audits[0].landmarks; },
         "not finished");
}

}  // namespace
}  // namespace caos::studio
