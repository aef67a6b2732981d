#include "caos/io/safetensors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "caos/io/checksum.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::TempDir;
using testing::ElementsAre;

template <typename T>
TensorRef tensor(const std::string& name, ElementType type, Shape shape,
                 const std::vector<T>& values) {
  return {name, type, std::move(shape), std::as_bytes(std::span(values))};
}

const std::vector<std::uint8_t> flags = {1, 0, 1};
const std::vector<float> weights = {0.5F, 0.25F, 0.125F};
const std::vector<double> scores = {1.5, -2.5, 3.5, 4.5, 5.5, 6.5};
const std::vector<std::int64_t> labels = {-7, 8};

std::vector<TensorRef> example_tensors() {
  return {tensor("flags", ElementType::u8, {3}, flags),
          tensor("weights", ElementType::f32, {1, 3, 1}, weights),
          tensor("scores", ElementType::f64, {2, 3}, scores),
          tensor("labels", ElementType::i64, {2}, labels)};
}

std::string write_example(const TempDir& dir) {
  write_safetensors(dir / "model.caos", {{"k", "3"}, {"title", "l\"été\n"}}, example_tensors());
  return dir / "model.caos";
}

std::uint64_t header_length(const std::string& file) {
  std::uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  return length;
}

std::string header_of(const std::string& file) { return file.substr(8, header_length(file)); }

TEST(Safetensors, GivesBackWhatWasWritten) {
  const TempDir dir;
  const auto file = SafetensorsFile::open(write_example(dir));
  EXPECT_THAT(file.metadata(), ElementsAre(std::pair("k", "3"), std::pair("title", "l\"été\n")));
  EXPECT_THAT(file.f64("scores", 2), ElementsAre(1.5, -2.5, 3.5, 4.5, 5.5, 6.5));
  EXPECT_THAT(file.i64("labels"), ElementsAre(-7, 8));
  EXPECT_THAT(file.f32("weights", 3), ElementsAre(0.5F, 0.25F, 0.125F));
  for (const TensorRef& written : example_tensors()) {
    const TensorRef& read = file.tensor(written.name);
    EXPECT_EQ(read.type, written.type) << written.name;
    EXPECT_EQ(read.shape, written.shape) << written.name;
    EXPECT_TRUE(std::ranges::equal(read.bytes, written.bytes)) << written.name;
  }
}

TEST(Safetensors, KeepsItsSpansWhenMoved) {
  const TempDir dir;
  SafetensorsFile first = SafetensorsFile::open(write_example(dir));
  const auto values = first.i64("labels");
  const SafetensorsFile second = std::move(first);
  EXPECT_THAT(values, ElementsAre(-7, 8));
  EXPECT_EQ(second.i64("labels").data(), values.data());
}

TEST(Safetensors, AlignsDataAndPutsWideElementsFirst) {
  const TempDir dir;
  const std::string path = write_example(dir);
  EXPECT_EQ((8 + header_length(dir.read("model.caos"))) % 64, 0U);
  const auto file = SafetensorsFile::open(path);
  const auto begin_of = [&](const char* name) { return file.tensor(name).bytes.data(); };
  EXPECT_LT(begin_of("scores"), begin_of("labels"));
  EXPECT_LT(begin_of("labels"), begin_of("weights"));
  EXPECT_LT(begin_of("weights"), begin_of("flags"));
}

TEST(Safetensors, FollowsTheLayoutThatOthersRead) {
  const TempDir dir;
  write_example(dir);
  const std::string file = dir.read("model.caos");
  const auto json = nlohmann::json::parse(header_of(file));
  EXPECT_EQ(json["scores"]["dtype"], "F64");
  EXPECT_EQ(json["scores"]["shape"], nlohmann::json({2, 3}));
  EXPECT_EQ(json["scores"]["data_offsets"], nlohmann::json({0, 48}));
  EXPECT_EQ(json["labels"]["data_offsets"], nlohmann::json({48, 64}));
  EXPECT_EQ(json["weights"]["data_offsets"], nlohmann::json({64, 76}));
  EXPECT_EQ(json["flags"]["data_offsets"], nlohmann::json({76, 79}));
  EXPECT_EQ(json["__metadata__"]["k"], "3");
  EXPECT_EQ(file.size(), 8 + header_length(file) + 79);
}

TEST(Safetensors, SumsTheHeaderWithZerosAndTheData) {
  const TempDir dir;
  const auto opened = SafetensorsFile::open(write_example(dir));
  std::string rest = dir.read("model.caos").substr(8);
  rest.replace(rest.find(opened.checksum()), 16, 16, '0');
  EXPECT_EQ(opened.checksum(), checksum({std::as_bytes(std::span(rest))}));
}

TEST(Safetensors, GivesTheSameBytesForTheSameContent) {
  const TempDir dir;
  write_example(dir);
  const std::string first = dir.read("model.caos");
  write_example(dir);
  EXPECT_EQ(dir.read("model.caos"), first);
}

TEST(Safetensors, MayHoldNothing) {
  const TempDir dir;
  write_safetensors(dir / "a", {}, {});
  EXPECT_TRUE(SafetensorsFile::open(dir / "a").metadata().empty());
  EXPECT_EQ(nlohmann::json::parse(header_of(dir.read("a"))).size(), 1U);
}

TEST(Safetensors, MayHoldEmptyArraysAndSingleNumbers) {
  const TempDir dir;
  const std::vector<double> none;
  const std::vector<double> one = {2.5};
  write_safetensors(dir / "a", {},
                    std::vector{tensor("none", ElementType::f64, {0, 4}, none),
                                tensor("one", ElementType::f64, {}, one),
                                tensor("none too", ElementType::f64, {0}, none)});
  const auto file = SafetensorsFile::open(dir / "a");
  EXPECT_TRUE(file.f64("none", 2).empty());
  EXPECT_THAT(file.f64("one", 0), ElementsAre(2.5));
}

TEST(Safetensors, SaysWhichArrayIsMissingOrAnother) {
  const TempDir dir;
  const auto file = SafetensorsFile::open(write_example(dir));
  expect_error([&] { (void)file.tensor("bias"); }, ErrorKind::bad_format,
               {"model.caos: has no array 'bias'"});
  expect_error([&] { (void)file.f64("weights", 3); }, ErrorKind::bad_format,
               {"model.caos: array 'weights' is F32 with 3 dimensions; expected F64 with 3"});
  expect_error([&] { (void)file.f64("scores", 1); }, ErrorKind::bad_format,
               {"array 'scores' is F64 with 2 dimensions; expected F64 with 1"});
  expect_error([&] { (void)file.f32("scores", 2); }, ErrorKind::bad_format,
               {"array 'scores' is F64 with 2 dimensions; expected F32 with 2"});
}

TEST(Safetensors, RefusesWhatItCouldNotReadBack) {
  const TempDir dir;
  const auto refuse = [&](const Metadata& metadata, const std::vector<TensorRef>& tensors,
                          const std::string& message) {
    expect_error([&] { write_safetensors(dir / "a", metadata, tensors); }, ErrorKind::invalid_input,
                 {"/a: ", message});
  };
  const auto flag = tensor("flags", ElementType::u8, {3}, flags);
  refuse({{"checksum", "x"}}, {}, "'checksum' is not a valid name");
  refuse({{"a\"checksum", "x"}}, {}, "'a\"checksum' is not a valid name");
  refuse({{"text", "\xff"}}, {}, "its texts must be UTF-8");
  refuse({{"text", std::string(17 << 20, 'a')}}, {}, "at most 16 MiB fit");
  refuse({}, {flag, flag}, "'flags' is not a valid name");
  refuse({}, {tensor("__metadata__", ElementType::u8, {3}, flags)},
         "'__metadata__' is not a valid name");
  refuse({}, {tensor("a\\", ElementType::u8, {3}, flags)}, "'a\\' is not a valid name");
  refuse({}, {tensor("flags", ElementType::u8, {4}, flags)},
         "array 'flags' has 3 bytes, which do not fill its shape 4");
  refuse({}, {tensor("flags", ElementType::i8, {3}, flags)},
         "array 'flags' is int8; expected float64, int64, float32 or uint8");
  EXPECT_TRUE(dir.list().empty());
}

RC_GTEST_PROP(Safetensors, GiveBackAnyMetadataAndArrays, ()) {
  const auto text = rc::gen::container<std::string>(rc::gen::element('a', '"', '\\', '\n', '{'));
  const auto key = rc::gen::container<std::string>(rc::gen::element('a', 'b', '{', ' ', ':'));
  const auto metadata = *rc::gen::container<Metadata>(key, text);
  const auto sizes =
      *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 5));
  std::vector<TensorRef> tensors;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto type =
        *rc::gen::element(ElementType::f64, ElementType::f32, ElementType::f16, ElementType::u8);
    tensors.push_back({std::to_string(i),
                       type,
                       {sizes[i]},
                       std::as_bytes(std::span(scores)).subspan(i % 8, sizes[i] * size_of(type))});
  }
  const TempDir dir;
  write_safetensors(dir / "a", metadata, tensors);
  const auto file = SafetensorsFile::open(dir / "a");
  RC_ASSERT(file.metadata() == metadata);
  for (const TensorRef& tensor : tensors) {
    RC_ASSERT(std::ranges::equal(file.tensor(tensor.name).bytes, tensor.bytes));
  }
}

}  // namespace
}  // namespace caos::io
