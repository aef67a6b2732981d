#include <gtest/gtest.h>

#include "apps/studio/exchange/backup_json.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"
#include "tests/studio/store/store_fixture.hpp"

namespace caos::studio {
namespace {

using test::StoreFixture;

TEST(Backup, KeepsThePrecisionOfEmbeddings) {
  StoreFixture store;
  const ProjectSnapshot snapshot = store->snapshot(store.project);
  EXPECT_EQ(snapshot.project.precision, "float16");
  EXPECT_EQ(parse_backup_json(backup_json(snapshot)).project.precision, "float16");
  landmarks::Json json = landmarks::parse_json(backup_json(snapshot), "project.json");
  json["version"] = 3;
  json["project"].erase("precision");
  const ProjectSnapshot old = parse_backup_json(landmarks::json_text(json, 1));
  EXPECT_EQ(old.project.precision, "float32");
  const Project restored =
      store->restore(old, [](const std::string&) { return std::vector<std::byte>(); });
  EXPECT_EQ(restored.precision, "float32");
}

}  // namespace
}  // namespace caos::studio
