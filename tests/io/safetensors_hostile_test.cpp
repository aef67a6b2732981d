#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "caos/io/checksum.hpp"
#include "caos/io/safetensors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::TempDir;

constexpr std::string_view zeros = "0000000000000000";

std::string length_bytes(std::uint64_t length) {
  std::string result(sizeof length, '\0');
  std::memcpy(result.data(), &length, sizeof length);
  return result;
}

std::string file_of(std::string_view header, std::string_view data) {
  return length_bytes(header.size()).append(header).append(data);
}

/// A header whose metadata hold a checksum that fits, and beside them `entries`.
std::string signed_file(const std::string& entries, const std::string& data) {
  std::string header = R"({"__metadata__":{"checksum":")" + std::string(zeros) + R"("})";
  header += entries.empty() ? "}" : "," + entries + "}";
  const std::string sum =
      checksum({std::as_bytes(std::span(header)), std::as_bytes(std::span(data))});
  header.replace(header.find(zeros), zeros.size(), sum);
  return file_of(header, data);
}

void open_bytes(const std::string& bytes) {
  const TempDir dir;
  (void)SafetensorsFile::open(dir.write("model.caos", bytes));
}

void expect_refused(const std::string& bytes, const std::string& message) {
  expect_error([&] { open_bytes(bytes); }, ErrorKind::bad_format, {"model.caos: ", message});
}

void expect_entries_refused(const std::string& entries, const std::string& message) {
  expect_refused(signed_file(entries, std::string(16, '\0')), message);
}

/// An honest file with padding in its header.
std::string small_file() {
  const TempDir dir;
  const std::vector<double> values = {1.5, 0};
  write_safetensors(
      dir / "a", {{"k", "3"}},
      std::vector<TensorRef>{{"a", ElementType::f64, {2}, std::as_bytes(std::span(values))}});
  return dir.read("a");
}

TEST(HostileSafetensors, AreMadeFromOneThatIsAccepted) {
  EXPECT_NO_THROW(open_bytes(small_file()));
}

TEST(HostileSafetensors, RefusesEveryAlteredByte) {
  const std::string whole = small_file();
  const TempDir dir;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int flipped : {0x01, 0x20, 0x80, 0xff}) {
      std::string altered = whole;
      altered[i] = static_cast<char>(altered[i] ^ flipped);
      const std::string path = dir.write("model.caos", altered);
      EXPECT_THROW((void)SafetensorsFile::open(path), Error) << "byte " << i;
    }
  }
}

TEST(HostileSafetensors, SaysThatTheChecksumDoesNotMatch) {
  std::string altered = small_file();
  altered.back() = 'x';
  expect_refused(altered,
                 "checksum does not match; the file was altered or damaged; calibrate again");
}

TEST(HostileSafetensors, RefusesEveryTruncation) {
  const std::string whole = small_file();
  const TempDir dir;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string path = dir.write("model.caos", whole.substr(0, size));
    expect_error([&] { (void)SafetensorsFile::open(path); }, ErrorKind::bad_format,
                 {"model.caos: "});
  }
}

TEST(HostileSafetensors, SaysWhereTheFileIsTruncated) {
  expect_refused(small_file().substr(0, 50), "is truncated within its header");
  expect_refused(small_file().substr(0, small_file().size() - 1),
                 "the file was altered or damaged");
}

TEST(HostileSafetensors, RefusesBytesAtTheEnd) {
  expect_refused(small_file() + "x", "the file was altered or damaged");
}

TEST(HostileSafetensors, RefusesForeignFiles) {
  expect_refused("", "is empty");
  expect_refused("12345678", "is too short");
  expect_refused("\x89PNG\r\n\x1a\n and so on", "not a .caos file");
  expect_refused("\x93NUMPY\x01 and so on", "not a .caos file");
  expect_refused(R"({"a": 1, "b": [1, 2, 3]})", "not a .caos file");
  expect_refused(R"({"a12345{: 1})", "not a .caos file");
  expect_refused(length_bytes(3) + "[1]", "not a .caos file");
}

TEST(HostileSafetensors, RefusesSafetensorsOfOthers) {
  expect_refused(file_of(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "x"),
                 "it was not written by caos");
  expect_refused(file_of(R"({"__metadata__":{"checksum":")", ""), "it was not written by caos");
}

TEST(HostileSafetensors, RefusesAChecksumOutsideTheMetadata) {
  std::string header = R"({"a":{"checksum":")" + std::string(zeros) + R"("}})";
  header.replace(header.find(zeros), zeros.size(), checksum({std::as_bytes(std::span(header))}));
  expect_refused(file_of(header, ""), "has an array 'a' without exactly");
  std::string outer = R"({"__metadata__":{},"checksum":")" + std::string(zeros) + R"("})";
  outer.replace(outer.find(zeros), zeros.size(), checksum({std::as_bytes(std::span(outer))}));
  expect_refused(file_of(outer, ""), "model.caos: its header has an array 'checksum'");
}

TEST(HostileSafetensors, RefusesHugeHeaderLengths) {
  for (const std::uint64_t length : {std::uint64_t{16} << 20 | 1, UINT64_MAX, UINT64_MAX - 7}) {
    expect_refused(length_bytes(length) + "{}", "not a .caos file");
  }
  expect_refused(length_bytes(1000) + "{}", "is truncated within its header");
}

/// The checksum does not see where the header ends and the data begin; the offsets do.
TEST(HostileSafetensors, RefusesEveryOtherHeaderLength) {
  const std::string whole = small_file();
  const std::size_t right = whole.size() - 8 - 16;
  EXPECT_EQ(whole.substr(0, 8), length_bytes(right));
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const std::string altered = length_bytes(length) + whole.substr(8);
    if (length == right) continue;
    EXPECT_THROW(open_bytes(altered), Error) << length;
  }
}

TEST(HostileSafetensors, RefusesOffsetsOutsideTheData) {
  const auto offsets = [](const std::string& text) {
    return R"("a":{"dtype":"F64","shape":[2],"data_offsets":)" + text + "}";
  };
  EXPECT_NO_THROW(open_bytes(signed_file(offsets("[0,16]"), std::string(16, '\0'))));
  for (const std::string text : {"[0,17]", "[16,0]", "[1,17]", "[18446744073709551608,8]", "[0]",
                                 "[]", "[0,16,16]", "[0,18446744073709551615]"}) {
    expect_entries_refused(offsets(text), "whose data lie outside the file");
  }
  for (const std::string text : {"[-8,8]", "[0.0,16]", "[\"0\",16]", "[0,1e1]", "16", "null",
                                 "[0,18446744073709551616]", "{\"a\":0}"}) {
    expect_entries_refused(offsets(text), "that are not whole numbers");
  }
}

TEST(HostileSafetensors, RefusesOverlapsAndHoles) {
  const auto two = [](const std::string& first, const std::string& second) {
    return R"("a":{"dtype":"U8","shape":[8],"data_offsets":)" + first +
           R"(},"b":{"dtype":"U8","shape":[8],"data_offsets":)" + second + "}";
  };
  EXPECT_NO_THROW(open_bytes(signed_file(two("[8,16]", "[0,8]"), std::string(16, '\0'))));
  expect_entries_refused(two("[0,8]", "[4,12]"), "that does not follow the others");
  expect_entries_refused(two("[0,8]", "[0,8]"), "that does not follow the others");
  expect_entries_refused(R"("a":{"dtype":"U8","shape":[8],"data_offsets":[8,16]})",
                         "that does not follow the others");
  expect_entries_refused(R"("a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]})",
                         "does not describe all data");
  expect_entries_refused("", "does not describe all data");
}

TEST(HostileSafetensors, RefusesShapesThatDoNotFitTheData) {
  for (const std::string shape : {"[3]", "[]", "[4294967296,4294967296,2]", "[2305843009213693954]",
                                  "[0,2]", "[18446744073709551615,18446744073709551614]"}) {
    expect_entries_refused(R"("a":{"dtype":"F64","shape":)" + shape + R"(,"data_offsets":[0,16]})",
                           "whose data do not fill its shape");
  }
}

TEST(HostileSafetensors, RefusesUnknownTypes) {
  for (const std::string type : {"\"BF16\"", "\"f64\"", "\"\"", "8", "null", "[]"}) {
    expect_entries_refused(R"("a":{"dtype":)" + type + R"(,"shape":[2],"data_offsets":[0,16]})",
                           "of a type other than F64, I64, F32, F16 and U8");
  }
}

TEST(HostileSafetensors, RefusesEntriesOfAnotherForm) {
  for (const std::string entry :
       {"1", "null", "[]", "{}", R"({"dtype":"F64","shape":[2]})",
        R"({"dtype":"F64","shape":[2],"data_offsets":[0,16],"more":1})"}) {
    expect_entries_refused("\"a\":" + entry, "without exactly a dtype");
  }
}

TEST(HostileSafetensors, RefusesKeysGivenTwice) {
  const std::string entry = R"("a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]})";
  expect_entries_refused(entry + "," + entry, "has 'a' twice");
  expect_entries_refused(R"("a":{"dtype":"U8","dtype":"F64","shape":[2],"data_offsets":[0,16]})",
                         "has 'dtype' twice");
  expect_entries_refused(entry + R"(,"__metadata__":{})", "has '__metadata__' twice");
}

TEST(HostileSafetensors, RefusesDeepNesting) {
  expect_entries_refused(R"("a":{"dtype":"U8","shape":[[0]],"data_offsets":[0,0]})",
                         "is nested too deeply");
  expect_entries_refused("\"a\":" + std::string(1'000'000, '['), "is nested too deeply");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  expect_entries_refused("\"a\":" + objects, "is nested too deeply");
}

TEST(HostileSafetensors, RefusesEndlessLists) {
  std::string shape = "1";
  for (int i = 0; i < 100'000; ++i) shape += ",1";
  expect_entries_refused(R"("a":{"dtype":"U8","shape":[)" + shape + R"(],"data_offsets":[0,1]})",
                         "has too many entries");
}

TEST(HostileSafetensors, RefusesMetadataThatAreNotTexts) {
  std::string header = R"({"__metadata__":{"checksum":")" + std::string(zeros) + R"(","k":3}})";
  header.replace(header.find(zeros), zeros.size(), checksum({std::as_bytes(std::span(header))}));
  expect_refused(file_of(header, ""), "has metadata that are not texts");
}

TEST(HostileSafetensors, RefusesInvalidJson) {
  expect_entries_refused("\"a\":", "not valid JSON");
  expect_entries_refused("\"\xff\":1", "not valid JSON");
  expect_entries_refused("\"a\":1} {", "not valid JSON");
}

TEST(HostileSafetensors, RefusesMisalignedArraysWhenTheyAreAskedFor) {
  const TempDir dir;
  std::string entries = R"("a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]})";
  while (signed_file(entries, "").size() % 8 != 1) entries += ' ';
  const std::string path = dir.write("model.caos", signed_file(entries, std::string(16, '\0')));
  const auto file = SafetensorsFile::open(path);
  expect_error([&] { (void)file.f64("a"); }, ErrorKind::bad_format, {"array 'a' is misaligned"});
}

}  // namespace
}  // namespace caos::io
