#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "apps/studio/workbench/workbench.hpp"
#include "tests/studio/face_project.hpp"

namespace caos::studio::test {

inline std::vector<std::byte> bytes_at(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::byte> bytes(std::filesystem::file_size(path));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

/// A project of drawn faces at work.
struct Working : FaceProject {
  explicit Working(std::size_t num_faces, Settings settings = {.score = "cosine"})
      : FaceProject(num_faces, 1, {}, std::move(settings)) {}

  ProjectGuarantee guarantee() {
    workbench.changed(project);
    EXPECT_TRUE(is_settled(workbench, project));
    return workbench.status(project, store.project(project).settings.simultaneous).guarantee;
  }
  [[nodiscard]] Integrity integrity() { return store.project(project).integrity; }
  void look() { (void)workbench.regions(project, rest().at(0), false); }
  void label_first(std::size_t count) {
    const std::vector<Id> images = sample();
    for (std::size_t i = 0; i < count; ++i) {
      if (!store.image(project, images[i]).complete) label(images[i]);
    }
  }

  Workbench workbench = open_workbench();
};

}  // namespace caos::studio::test
