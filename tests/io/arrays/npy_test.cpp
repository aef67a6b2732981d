#include "caos/io/arrays/npy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>

#include "tests/io/arrays/npy_bytes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"

namespace caos::io {
namespace {

using test::expect_error;
using test::npy_array;
using test::npy_bytes;
using test::raw;
using test::TempDir;
using testing::ElementsAre;

NpyArray open_bytes(const std::string& bytes) {
  const TempDir dir;
  return NpyArray::open(dir.write("a.npy", bytes));
}

void expect_refused(const std::string& bytes, std::initializer_list<std::string> parts) {
  expect_error([&] { (void)open_bytes(bytes); }, ErrorKind::bad_format, {"a.npy: "});
  expect_error([&] { (void)open_bytes(bytes); }, ErrorKind::bad_format, parts);
}

std::string with_dict(const std::string& dict) { return npy_bytes(dict, std::string(8, '\0')); }

template <typename T>
void expect_read(const std::string& descr, ElementType type) {
  const std::vector<T> values = {std::numeric_limits<T>::lowest(), T{1},
                                 std::numeric_limits<T>::max()};
  const NpyArray array = open_bytes(npy_array(descr, "3,", raw(values)));
  EXPECT_EQ(array.type(), type);
  EXPECT_THAT(array.shape(), ElementsAre(3U));
  EXPECT_EQ(raw(std::vector<T>(array.values<T>().begin(), array.values<T>().end())), raw(values));
  array.visit([](auto span) { EXPECT_EQ(span.size(), 3U); });
}

TEST(Npy, ReadsEveryElementType) {
  expect_read<float>("<f4", ElementType::f32);
  expect_read<double>("<f8", ElementType::f64);
  expect_read<std::int8_t>("|i1", ElementType::i8);
  expect_read<std::int16_t>("<i2", ElementType::i16);
  expect_read<std::int32_t>("<i4", ElementType::i32);
  expect_read<std::int64_t>("<i8", ElementType::i64);
  expect_read<std::uint8_t>("|u1", ElementType::u8);
  expect_read<std::uint16_t>("<u2", ElementType::u16);
  expect_read<std::uint32_t>("<u4", ElementType::u32);
  expect_read<std::uint64_t>("<u8", ElementType::u64);
}

TEST(Npy, CallsElementTypesAsNumpyDoes) {
  EXPECT_EQ(name_of(ElementType::f32), "float32");
  EXPECT_EQ(name_of(ElementType::u64), "uint64");
}

TEST(Npy, ReadsEveryVersion) {
  const std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }\n";
  for (const int version : {1, 2, 3}) {
    const NpyArray array = open_bytes(npy_bytes(dict, raw<float>({1, 2}), version));
    EXPECT_THAT(array.shape(), ElementsAre(1U, 2U));
    EXPECT_THAT(array.values<float>(), ElementsAre(1.0F, 2.0F));
  }
}

TEST(Npy, ReadsAnyWayToWriteTheDictionary) {
  for (const std::string dict :
       {"{'shape':(1,),'fortran_order':False,'descr':'<f8'}",
        " {\t\"fortran_order\" : False ,\n 'shape' : ( 1 , ) , 'descr' : \"<f8\" , } \n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1L,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (), }"}) {
    EXPECT_THAT(open_bytes(with_dict(dict)).values<double>(), ElementsAre(0.0)) << dict;
  }
}

TEST(Npy, CopiesMisalignedData) {
  const std::vector<double> values = {1.5, -2.5};
  std::string dict = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}";
  for (int i = 0; i < 8; ++i, dict += ' ') {
    const NpyArray array = open_bytes(npy_bytes(dict, raw(values)));
    const NpyArray moved = NpyArray(open_bytes(npy_bytes(dict, raw(values))));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.values<double>().data()) % alignof(double),
              0U);
    EXPECT_THAT(array.values<double>(), ElementsAre(1.5, -2.5));
    EXPECT_THAT(moved.values<double>(), ElementsAre(1.5, -2.5));
  }
}

TEST(Npy, ReadsEmptyArrays) {
  const NpyArray array = open_bytes(npy_array("<f8", "0, 5", ""));
  EXPECT_THAT(array.shape(), ElementsAre(0U, 5U));
  EXPECT_EQ(array.size(), 0U);
}

TEST(Npy, RefusesForeignFiles) {
  expect_refused("", {"is empty"});
  expect_refused("0.5,0.25\n", {"not an .npy file", "numpy.save"});
  expect_refused("\x93NUMPX\x01", {"not an .npy file"});
  expect_refused("PK\x03\x04 and so on", {"is an .npz archive", "numpy.save"});
}

TEST(Npy, RefusesUnknownVersions) {
  expect_refused(npy_bytes("{}", "", 4), {"version 4.0; expected 1.0, 2.0 or 3.0"});
  std::string minor = npy_bytes("{}", "");
  minor[7] = 1;
  expect_refused(minor, {"version 1.1"});
}

TEST(Npy, RefusesEveryTruncation) {
  const std::string whole = npy_array("<f8", "2,", raw<double>({1, 2}));
  EXPECT_EQ(open_bytes(whole).size(), 2U);
  const TempDir dir;
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const std::string path = dir.write("a.npy", whole.substr(0, size));
    expect_error([&] { (void)NpyArray::open(path); }, ErrorKind::bad_format, {"is truncated"});
  }
}

TEST(Npy, RefusesAHeaderThatLacksItsLastByte) {
  const std::string whole = npy_array("<f8", "0,", "");
  expect_refused(whole.substr(0, whole.size() - 1), {"is truncated within its header"});
}

TEST(Npy, SaysHowManyBytesAreMissing) {
  expect_refused(npy_array("<f8", "2, 3", std::string(40, '\0')),
                 {"its shape (2 x 3) needs 48 bytes, 40 are there"});
}

TEST(Npy, RefusesBytesAfterTheArray) {
  expect_refused(npy_array("<f8", "2,", std::string(24, '\0')),
                 {"has 8 bytes after its array (2); save one array per file"});
}

TEST(Npy, RefusesFortranOrder) {
  expect_refused(
      npy_bytes("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2)}", std::string(32, '\0')),
      {"is in Fortran order; save it with numpy.ascontiguousarray"});
}

TEST(Npy, AcceptsFortranOrderWhereItMakesNoDifference) {
  for (const std::string shape : {"(2,)", "(1, 2)", "(2, 1, 1)", "(0, 2)"}) {
    const std::string data(shape == "(0, 2)" ? 0 : 16, '\0');
    const auto bytes =
        npy_bytes("{'descr': '<f8', 'fortran_order': True, 'shape': " + shape + "}", data);
    EXPECT_EQ(open_bytes(bytes).size(), data.size() / 8) << shape;
  }
}

TEST(Npy, RefusesOtherElementTypesWithARemedy) {
  for (const std::string descr :
       {"<f2", "<c8", "<U5", "|S3", "<M8[ns]", "<f16", "|V8", "f4", "=f4", "|f4", "", "<"}) {
    expect_refused(
        npy_array(descr, "1,", std::string(8, '\0')),
        {"element type '" + descr + "' is not supported", "convert with .astype('float32')"});
  }
}

TEST(Npy, RefusesTruthValuesWithATypeThatKeepsThem) {
  expect_refused(npy_array("|b1", "1,", std::string(1, '\1')),
                 {"holds True and False; convert with .astype('int8')"});
}

TEST(Npy, RefusesObjectsAndStructures) {
  expect_refused(npy_array("|O", "1,", "pickle"), {"holds Python objects", ".astype('float32')"});
  expect_refused(with_dict("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"),
                 {"has a structured element type", ".astype('float32')"});
  expect_refused(with_dict("{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1,), }"),
                 {"has a structured element type"});
}

TEST(Npy, RefusesBigEndianNumbers) {
  expect_refused(npy_array(">f4", "1,", std::string(4, '\0')),
                 {"is big-endian ('>f4'); convert with .astype('<f4')"});
  EXPECT_EQ(open_bytes(npy_array(">u1", "1,", "a")).type(), ElementType::u8);
}

TEST(Npy, RefusesShapesThatOverflow) {
  for (const std::string shape :
       {"4294967296, 4294967296", "2305843009213693952,", "1152921504606846976,",
        "0, 9223372036854775807, 9223372036854775807", "9223372036854775807, 2, 0"}) {
    expect_refused(npy_array("<f8", shape, ""), {"does not fit in memory"});
  }
  expect_refused(npy_array("<f8", "18446744073709551616,", ""), {"not a number of elements"});
  expect_refused(npy_array("<f8", "-1,", ""), {"not a number of elements"});
}

TEST(Npy, RefusesBrokenDictionaries) {
  const std::string start = "{'descr': '<f8', 'fortran_order': False, ";
  const std::vector<std::string> dicts = {"",
                                          "{",
                                          "{}",
                                          "[]",
                                          "{'fortran_order': False}",
                                          "{'descr': 8",
                                          "{'descr': '<f8, 'shape': (1,)}",
                                          "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
                                          "{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}",
                                          start + "'shape': (1,)",
                                          start + "'shape'",
                                          start + "'shape': 1}",
                                          start + "'shape': (",
                                          start + "'shape': (1 1)}",
                                          start + "'shape': (,)}",
                                          start + "'shape': (1,), 'more': 1}",
                                          start + "'shape': (1,), 'shape': (1,)}",
                                          start + "'shape': (1,)} x"};
  for (const std::string& dict : dicts) {
    expect_refused(with_dict(dict), {"its .npy header ", "; save it again with numpy.save"});
  }
}

TEST(Npy, RefusesTooManyDimensions) {
  std::string shape;
  for (int i = 0; i < 65; ++i) shape += "1, ";
  expect_refused(npy_array("|u1", shape, "a"), {"more than 64 dimensions"});
}

TEST(Npy, RefusesHostileHeaderLengths) {
  std::string file = npy_bytes("{}", "", 2);
  for (std::size_t i = 8; i < 12; ++i) file[i] = '\xff';
  expect_refused(file, {"is truncated within its header"});
}

RC_GTEST_PROP(Npy, ReadsOrRefusesAnAlteredFile, ()) {
  std::string file = npy_array("<f8", "2,", raw<double>({1, 2}));
  const auto at = *rc::gen::inRange<std::size_t>(0, 70);
  file[at] = *rc::gen::arbitrary<char>();
  try {
    const NpyArray array = open_bytes(file);
    const std::size_t width = size_of(array.type());
    RC_ASSERT(byte_size(array.shape(), width) == array.size() * width);
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::bad_format);
  }
}

TEST(Npy, NamesPositions) {
  const NpyArray array = open_bytes(npy_array("|u1", "2, 3, 4", std::string(24, '\0')));
  EXPECT_EQ(array.position(0), "[0, 0, 0]");
  EXPECT_EQ(array.position(23), "[1, 2, 3]");
  EXPECT_EQ(array.position(13), "[1, 0, 1]");
}

TEST(Npy, NamesTheDimensionsItHasAndShouldHave) {
  const NpyArray array = open_bytes(npy_array("|u1", "3,", "abc"));
  array.require_dimensions(1, "labels");
  expect_error([&] { array.require_dimensions(2, "rows x columns"); }, ErrorKind::invalid_input,
               {"a.npy: has 1 dimension (3); expected 2: rows x columns"});
  const NpyArray scalar = open_bytes(npy_array("|u1", "", "a"));
  expect_error([&] { scalar.require_dimensions(1, "labels"); }, ErrorKind::invalid_input,
               {"a.npy: has 0 dimensions (a single number); expected 1: labels"});
}

/// What numpy 1.24 writes for an array whose dictionary is this.
std::string saved(const std::string& dict, const std::string& data) {
  return std::string("\x93NUMPY\x01\x00v\x00", 10) + dict + std::string(117 - dict.size(), ' ') +
         "\n" + data;
}

TEST(WriteNpy, WritesTheBytesOfNumpySave) {
  const TempDir dir;
  write_npy(dir / "a.npy", {2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6});
  EXPECT_EQ(dir.read("a.npy"), saved("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
                                     raw<double>({1, 2, 3, 4, 5, 6})));
  write_npy(dir / "a.npy", {2}, std::vector<float>{1, 2});
  EXPECT_EQ(dir.read("a.npy"), saved("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
                                     std::string("\0\0\x80?\0\0\0@", 8)));
  write_npy(dir / "a.npy", {}, std::vector<std::int64_t>{7});
  EXPECT_EQ(dir.read("a.npy"), saved("{'descr': '<i8', 'fortran_order': False, 'shape': (), }",
                                     std::string("\7\0\0\0\0\0\0\0", 8)));
  write_npy(dir / "a.npy", {1, 3}, std::vector<std::uint8_t>{0, 1, 255});
  EXPECT_EQ(dir.read("a.npy"), saved("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 3), }",
                                     std::string("\0\1\xff", 3)));
  write_npy(dir / "a.npy", {3, 0}, std::vector<double>{});
  EXPECT_EQ(dir.read("a.npy"),
            saved("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 0), }", ""));
}

/// As numpy does: room for growth of the first dimension, and 64 more where nothing is missing.
TEST(WriteNpy, PadsAsNumpyDoes) {
  const TempDir dir;
  const auto size_with_last = [&](std::size_t last) {
    Shape shape(14, 1);
    shape.back() = last;
    write_npy(dir / "a.npy", shape, std::vector<float>(last));
    return dir.read("a.npy").size() - last * sizeof(float);
  };
  EXPECT_EQ(size_with_last(10), 128U);
  EXPECT_EQ(size_with_last(100), 192U);
}

RC_GTEST_PROP(WriteNpy, IsReadBackAsItWas, ()) {
  const auto shape = *rc::gen::container<Shape>(3, rc::gen::inRange<std::size_t>(0, 5));
  const auto values = *rc::gen::container<std::vector<double>>(shape[0] * shape[1] * shape[2],
                                                               rc::gen::arbitrary<double>());
  const TempDir dir;
  write_npy(dir / "a.npy", shape, values);
  const NpyArray array = NpyArray::open(dir / "a.npy");
  RC_ASSERT(array.shape() == shape);
  RC_ASSERT(array.type() == ElementType::f64);
  RC_ASSERT(std::ranges::equal(array.values<double>(), values));
}

TEST(WriteNpy, RefusesAShapeThatDoesNotFit) {
  const TempDir dir;
  expect_error(
      [&] {
        write_npy(dir / "a.npy", {2, 3}, std::vector<double>(5));
      },
      ErrorKind::invalid_input, {"a.npy: 5 values do not fill the shape 2 x 3"});
  EXPECT_TRUE(dir.list().empty());
}

}  // namespace
}  // namespace caos::io
