#include <gtest/gtest.h>

#include <algorithm>

#include "apps/studio/exchange/demo_project.hpp"
#include "tests/studio/store/store_fixture.hpp"

namespace caos::studio {
namespace {

TEST(DemoProject, HasARandomHalfLabeledBlind) {
  test::StoreFixture store;
  const Project project = make_demo_project(*store);
  const std::vector<ImageRecord> images = store->images(project.id);
  ASSERT_EQ(images.size(), 120U);
  EXPECT_EQ(store->scheme(project.id).size(), 42U);
  EXPECT_EQ(project.sampling.kind, Sampling::Kind::random);
  std::size_t num_complete = 0;
  for (const ImageRecord& image : images) {
    EXPECT_EQ(image.complete, image.in_sample(project.sampling));
    EXPECT_TRUE(image.complete || image.num_points == 0);
    EXPECT_TRUE(image.seen_at.empty());
    num_complete += image.complete ? 1 : 0;
  }
  EXPECT_EQ(num_complete, 60U);
  const auto scheme = store->scheme(project.id);
  EXPECT_GE(std::ranges::count_if(scheme, [](const auto& l) { return l.pair.has_value(); }), 20);
}

}  // namespace
}  // namespace caos::studio
