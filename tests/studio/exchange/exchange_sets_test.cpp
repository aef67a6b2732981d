#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/studio/exchange/backup.hpp"
#include "apps/studio/exchange/export_sets.hpp"
#include "caos/io/mapped_file.hpp"
#include "caos/landmarks/landmark_model.hpp"
#include "caos/landmarks/predict_stream.hpp"
#include "tests/studio/face_project.hpp"
#include "tests/support/expect_error.hpp"

namespace caos::studio {
namespace {

using caos::test::expect_error;
using test::FaceProject;
using testing::HasSubstr;
using Json = nlohmann::json;

std::string text_of(const LargeDownload& download) {
  std::string text(download.file.size(), '\0');
  EXPECT_EQ(download.file.read(0, std::as_writable_bytes(std::span(text))), text.size());
  return text;
}

Json sets_of(FaceProject& faces, Workbench& workbench, Id project, const char* alpha,
             bool simultaneous = false) {
  return Json::parse(
      text_of(export_sets(faces.store, workbench, project,
                          {.alpha = Miscoverage::parse(alpha), .simultaneous = simultaneous})));
}

LandmarkModel exported_model(FaceProject& faces, Workbench& workbench) {
  const Download exported = export_model(faces.store, workbench, faces.project);
  const auto bytes = std::as_bytes(std::span(exported.bytes));
  return read_landmark_model(
      io::SafetensorsFile(io::MappedFile::of_bytes({bytes.begin(), bytes.end()}, exported.name)));
}

/// As the program would, with the model that is exported.
std::vector<std::vector<LandmarkPrediction>> predict(FaceProject& faces, Workbench& workbench,
                                                     const char* alpha, bool simultaneous) {
  const LandmarkModel model = exported_model(faces, workbench);
  const LandmarkPredictor predictor(
      model, {.alpha = Miscoverage::parse(alpha), .simultaneous = simultaneous});
  std::vector<std::string> files;
  for (const Id image : faces.rest()) {
    files.push_back(faces.store.path_of(faces.store.image(faces.project, image)));
  }
  std::vector<std::vector<LandmarkPrediction>> predictions;
  const auto failed = predict_stream(
      *open_patch_source({.backbone = model.embedding.backbone}, files), files,
      [&](std::size_t) -> const LandmarkPredictor& { return predictor; },
      [&](EmbeddedImage&&, std::vector<LandmarkPrediction>&& landmarks) {
        return [&, landmarks = std::move(landmarks)] { predictions.push_back(landmarks); };
      });
  EXPECT_TRUE(failed.empty());
  return predictions;
}

void expect_sets_of_the_program(bool simultaneous) {
  FaceProject faces(24);
  faces.label_sample(15);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(test::is_settled(workbench, faces.project));
  const auto expected = predict(faces, workbench, "0.15", simultaneous);
  const Json sets = sets_of(faces, workbench, faces.project, "0.15", simultaneous);
  ASSERT_EQ(sets["images"].size(), 9U);
  for (std::size_t i = 0; i < 9; ++i) {
    const Json& landmarks = sets["images"][i]["landmarks"];
    ASSERT_EQ(landmarks.size(), 4U);
    for (std::size_t t = 0; t < 4; ++t) {
      EXPECT_EQ(landmarks[t]["patches"], Json(expected[i][t].set));
      EXPECT_EQ(landmarks[t]["p_values"], Json(expected[i][t].p_values));
      EXPECT_EQ(landmarks[t]["proposal"]["patch"], expected[i][t].proposal);
      EXPECT_EQ(landmarks[t]["supporting_references"].size(), 3U);
    }
  }
}

TEST(ExportedSets, AreThoseOfTheProgramWithTheExportedModel) { expect_sets_of_the_program(false); }

TEST(ExportedSets, OfAllLandmarksAtOnceAreTooThoseOfTheProgram) {
  expect_sets_of_the_program(true);
}

TEST(ExportedSets, StateTheirGuarantee) {
  FaceProject faces(16);
  faces.label_sample(10);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(test::is_settled(workbench, faces.project));
  const Json sets = sets_of(faces, workbench, faces.project, "0.1");
  EXPECT_EQ(sets["project"], "faces");
  EXPECT_EQ(sets["sample_by_design"], true);
  EXPECT_EQ(sets["target"], "any");
  EXPECT_EQ(sets["landmarks"][0]["guarantee"], "marginal");
  EXPECT_EQ(sets["landmarks"][0]["n"], 10);
  EXPECT_EQ(sets["images"][0]["guarantee"], "marginal");
  EXPECT_FALSE(sets["assumption"].get<std::string>().empty());
  const Json other = sets_of(faces, workbench, faces.project, "0.2");
  EXPECT_THAT(other["landmarks"][0]["guarantee"].get<std::string>(), HasSubstr("alpha = 0.1"));
}

TEST(ExportedSets, AtALookNameItsAlphaAndWhatIsGuaranteed) {
  FaceProject faces(30, 1);
  faces.store.draw_sample(faces.project, {.looks = {{20, ""}, {25, ""}}, .seed = 1});
  const std::vector<Id> sample = faces.sample();
  for (std::size_t i = 0; i < 20; ++i) faces.label(sample[i]);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(test::is_settled(workbench, faces.project));
  const Json sets = sets_of(faces, workbench, faces.project, "0.05");
  EXPECT_EQ(sets["landmarks"][0]["guarantee"], "marginal");
  EXPECT_EQ(sets["alpha"], 0.05);
  EXPECT_EQ(sets["guaranteed_alpha"], 0.1);
  EXPECT_EQ(sets["look"], "1 of 2");
  EXPECT_THAT(sets["guarantee_is_for"].get<std::string>(), HasSubstr("the guarantee is 1 - 0.1"));
  EXPECT_EQ(sets["images"][0]["alpha"], "0.05");
  EXPECT_EQ(sets["images"][0]["guaranteed_alpha"], "0.1");
  const Json other = sets_of(faces, workbench, faces.project, "0.1");
  EXPECT_THAT(other["landmarks"][0]["guarantee"].get<std::string>(), HasSubstr("none"));
  EXPECT_TRUE(other["guaranteed_alpha"].is_null());
}

TEST(ExportedSets, NameImagesInTheOrderOfTheQueue) {
  FaceProject faces(30);
  faces.label_sample(18);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(test::is_settled(workbench, faces.project));
  for (const bool simultaneous : {false, true}) {
    const Json sets = sets_of(faces, workbench, faces.project, "0.1", simultaneous);
    std::vector<std::string> names;
    for (const QueueEntry& entry : workbench.queue(faces.project, Miscoverage::parse("0.1"),
                                                   QueueOrder::worst, simultaneous)) {
      names.push_back(faces.store.image(faces.project, entry.image).name);
    }
    EXPECT_EQ(sets["review_order"], Json(names));
  }
}

TEST(ExportedSets, AreRowsToo) {
  FaceProject faces(8);
  faces.label_sample(5);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(test::is_settled(workbench, faces.project));
  const LargeDownload csv = export_sets(faces.store, workbench, faces.project,
                                        {.csv = true, .alpha = Miscoverage::parse("0.1")});
  const std::string text = text_of(csv);
  EXPECT_EQ(csv.name, "faces.regions.csv");
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 3 * 4);
  EXPECT_THAT(text, HasSubstr("warning,guarantee,alpha,guaranteed_alpha,look\n"));
  EXPECT_THAT(text, HasSubstr(",marginal,"));
}

TEST(ExportedSets, CountAsSeenButForTheSample) {
  FaceProject faces(8);
  faces.label_sample(5);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(test::is_settled(workbench, faces.project));
  (void)sets_of(faces, workbench, faces.project, "0.1");
  const Sampling sampling = faces.store.project(faces.project).sampling;
  for (const ImageRecord& image : faces.store.images(faces.project)) {
    EXPECT_EQ(image.seen_at.empty(), image.in_sample(sampling));
  }
}

TEST(ExportedModel, IsForANewSubjectWhereSubjectsAreKnown) {
  const std::vector<std::string> subjects = {"a", "a", "b", "c", "d", "e", "f", "g", "h", "h"};
  for (const bool has_subjects : {false, true}) {
    FaceProject faces(10, 1, has_subjects ? subjects : std::vector<std::string>(), {});
    faces.label_sample(6);  // of each subject one
    Workbench workbench = faces.open_workbench();
    ASSERT_TRUE(test::is_settled(workbench, faces.project));
    EXPECT_EQ(exported_model(faces, workbench).target(),
              has_subjects ? ImageTarget::subject : ImageTarget::any);
  }
}

TEST(ExportedModel, IsRefusedWithoutAGuarantee) {
  FaceProject faces(12);
  faces.label_sample(8);
  faces.label(faces.rest()[0], Source::correct);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(test::is_settled(workbench, faces.project));
  EXPECT_FALSE(export_model(faces.store, workbench, faces.project).bytes.empty());
  Settings settings = faces.store.project(faces.project).settings;
  settings.use_corrections = true;
  faces.store.change_settings(faces.project, settings);
  workbench.changed(faces.project);
  expect_error([&] { (void)export_model(faces.store, workbench, faces.project); },
               ErrorKind::invalid_input, {"guarantees nothing", "corrected in review"});
}

TEST(ExportedSets, NeedLabels) {
  FaceProject faces(4);
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(test::is_settled(workbench, faces.project));
  expect_error([&] { (void)sets_of(faces, workbench, faces.project, "0.1"); },
               ErrorKind::invalid_input, {});
  expect_error([&] { (void)export_model(faces.store, workbench, faces.project); },
               ErrorKind::invalid_input, {});
}

TEST(ExportedSets, OfARestoredProjectAreTheSame) {
  FaceProject faces(12);
  faces.label_sample(8);
  const LargeDownload backup = backup_project(faces.store, faces.project);
  std::vector<std::byte> bytes(backup.file.size());
  ASSERT_EQ(backup.file.read(0, bytes), bytes.size());
  const Id restored = restore_project(faces.store, bytes).id;
  Workbench workbench = faces.open_workbench();
  ASSERT_TRUE(test::is_settled(workbench, faces.project));
  ASSERT_TRUE(test::is_settled(workbench, restored));
  const Json before = sets_of(faces, workbench, faces.project, "0.1");
  Json after = sets_of(faces, workbench, restored, "0.1");
  // But for what is taken on trust.
  EXPECT_EQ(after["sample_by_design"], false);
  EXPECT_THAT(after["assumption"].get<std::string>(), HasSubstr("restored from a backup"));
  EXPECT_EQ(after["project"], "faces (2)");
  for (const char* key : {"sample_by_design", "assumption", "project"}) after[key] = before[key];
  for (std::size_t i = 0; i < before["images"].size(); ++i) {
    after["images"][i]["assumption"] = before["images"][i]["assumption"];
  }
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace caos::studio
