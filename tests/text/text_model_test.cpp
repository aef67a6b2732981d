#include "caos/text/text_model.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>

#include "caos/io/model_file.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/text/text_models.hpp"

namespace caos {
namespace {

using test::expect_error;
using test::TempDir;

TextModel sample(bool by_label = false) {
  TextModel model = text_models::of(text_problem::make(4), 7, 2, by_label);
  model.scoring = {.model = "llama:my models/\"tiny\".gguf",
                   .identity = "llama:0123:context=128",
                   .context = 128,
                   .chat = true,
                   .server_model = "served",
                   .prompt = text::PromptTemplate::paper().source(),
                   .normalization = Normalization::softmax};
  model.text_columns = {"Title", "Body, with a comma"};
  model.labels_from_train = true;
  model.examples[0].text = "";
  model.examples[1].text = "two\nlines, \"quotes\" and a \t tab";
  model.examples[2].text = std::string("zero \0 inside", 13);
  model.examples[3].text = "\xE2\x82\xAC \xF0\x9F\x99\x82";
  model.ids[4] = "";
  return model;
}

void expect_same(const TextModel& a, const TextModel& b) {
  EXPECT_EQ(a.scoring, b.scoring);
  EXPECT_EQ(a.text_columns, b.text_columns);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.labels_from_train, b.labels_from_train);
  EXPECT_EQ(a.examples, b.examples);
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.calibration.k(), b.calibration.k());
  EXPECT_EQ(a.calibration.num_references(), b.calibration.num_references());
  EXPECT_EQ(a.calibration.grouping().kind(), b.calibration.grouping().kind());
  EXPECT_EQ(a.calibration.grouping().num_groups(), b.calibration.grouping().num_groups());
  for (std::size_t i = 0; i < a.calibration.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(a.calibration.nearest(i), b.calibration.nearest(i)));
    EXPECT_EQ(a.calibration.grouping().of_example(i), b.calibration.grouping().of_example(i));
  }
}

TEST(TextModel, IsTheSameOnceWrittenAndRead) {
  const TempDir folder;
  for (const bool by_label : {false, true}) {
    const TextModel before = sample(by_label);
    write_text_model(folder / "model.caos", before);
    expect_same(read_text_model(folder / "model.caos"), before);
  }
}

TEST(TextModel, HasTheSameBytesEachTime) {
  const TempDir folder;
  write_text_model(folder / "one", sample());
  write_text_model(folder / "two", read_text_model(folder / "one"));
  EXPECT_EQ(folder.read("one"), folder.read("two"));
}

TEST(TextModel, OfScoresFromAFileHasNoPrompt) {
  const TempDir folder;
  TextModel model = sample();
  model.scoring = {.model = "scores:table.npy"};
  write_text_model(folder / "model", model);
  EXPECT_EQ(read_text_model(folder / "model").scoring, model.scoring);
}

TEST(TextModel, HoldsMoreTextThanAHeaderCould) {
  const TempDir folder;
  TextModel model = sample();
  for (auto& example : model.examples) example.text.assign(std::size_t{3} << 20U, 'a');
  write_text_model(folder / "large", model);
  EXPECT_EQ(read_text_model(folder / "large").examples, model.examples);
}

TEST(TextModel, HasTheArraysThatItsFormatSays) {
  const TempDir folder;
  write_text_model(folder / "model", sample());
  const auto file = io::SafetensorsFile::open(folder / "model");
  EXPECT_EQ(io::model_kind(file.metadata()), io::ModelKind::text);
  EXPECT_EQ(file.metadata().at("version"), "1");
  EXPECT_EQ(file.metadata().at("normalization"), "softmax");
  EXPECT_EQ(file.metadata().at("labels_from"), "train");
  EXPECT_EQ(file.metadata().at("groups"), "none");
  EXPECT_EQ(file.tensor("nearest").shape, (io::Shape{7, 2}));
  EXPECT_EQ(file.tensor("labels").shape, io::Shape{7});
  EXPECT_EQ(file.tensor("texts_offsets").shape, io::Shape{8});
  EXPECT_EQ(file.tensor("ids_offsets").shape, io::Shape{8});
  EXPECT_EQ(file.tensor("label_names_offsets").shape, io::Shape{5});
  EXPECT_EQ(file.tensor("label_names").shape, io::Shape{4 * std::strlen("label 0")});
  EXPECT_EQ(file.tensor("text_columns_offsets").shape, io::Shape{3});
}

TEST(TextModel, IsNotWrittenWhereItsPartsDoNotFitTogether) {
  const TempDir folder;
  const auto expect_refusal = [&](const std::function<void(TextModel&)>& change) {
    TextModel model = sample(true);
    change(model);
    expect_error([&] { write_text_model(folder / "model", model); }, ErrorKind::invalid_input,
                 {""});
  };
  expect_refusal([](TextModel& m) { m.ids.pop_back(); });
  expect_refusal([](TextModel& m) { m.examples.pop_back(); });
  expect_refusal([](TextModel& m) { m.examples[0].label = 4; });
  expect_refusal([](TextModel& m) { m.examples[0].label = (m.examples[0].label + 1) % 4; });
  expect_refusal([](TextModel& m) { m.labels = text_models::label_space(5); });
  expect_refusal([](TextModel& m) { m.examples[0].text = "\xFF"; });
  EXPECT_TRUE(folder.list().empty());
}

// Lies. Each file below is whole, with a right checksum; one of its parts is not what it should be.

struct Part {
  io::ElementType type = io::ElementType::f64;
  io::Shape shape{};
  std::vector<std::byte> bytes{};

  template <typename T>
  void set(std::size_t i, T value) {
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
};

/// A file taken apart, to be put together again.
struct Parts {
  io::Metadata metadata{};
  std::map<std::string, Part> arrays{};

  explicit Parts(const io::SafetensorsFile& file) : metadata(file.metadata()) {
    for (const char* name :
         {"nearest", "labels", "texts", "texts_offsets", "ids", "ids_offsets", "label_names",
          "label_names_offsets", "text_columns", "text_columns_offsets"}) {
      const io::TensorRef& tensor = file.tensor(name);
      arrays[name] = {.type = tensor.type,
                      .shape = tensor.shape,
                      .bytes = {tensor.bytes.begin(), tensor.bytes.end()}};
    }
  }

  void write(const std::string& path) const {
    std::vector<io::TensorRef> tensors;
    for (const auto& [name, part] : arrays) {
      tensors.push_back(
          {.name = name, .type = part.type, .shape = part.shape, .bytes = part.bytes});
    }
    io::write_safetensors(path, metadata, tensors);
  }
};

class LyingTextModel : public testing::Test {
 protected:
  LyingTextModel() { write_text_model(folder_ / "model", sample(true)); }

  void expect_refusal(const std::function<void(Parts&)>& lie, const std::string& why) {
    Parts parts(io::SafetensorsFile::open(folder_ / "model"));
    lie(parts);
    parts.write(folder_ / "lie");
    expect_error([&] { (void)read_text_model(folder_ / "lie"); }, ErrorKind::bad_format,
                 {"lie", why});
  }

  TempDir folder_;
};

TEST_F(LyingTextModel, IsReadWhereItDoesNotLie) {
  Parts(io::SafetensorsFile::open(folder_ / "model")).write(folder_ / "honest");
  expect_same(read_text_model(folder_ / "honest"), sample(true));
}

TEST_F(LyingTextModel, IsRefusedForEveryTextOfItsHeader) {
  const Parts honest(io::SafetensorsFile::open(folder_ / "model"));
  for (const auto& [key, text] : honest.metadata) {
    if (key == "written_by") continue;
    expect_refusal([key = key](Parts& p) { p.metadata.erase(key); },
                   key == "format" ? "not a text model" : key);
  }
  const auto says = [](const char* key, const char* value) {
    return [=](Parts& parts) { parts.metadata[key] = value; };
  };
  expect_refusal(says("format", "caos-calibration"), "for 'caos predict'");
  expect_refusal(says("format", "caos-landmarks"), "for 'caos landmarks predict'");
  expect_refusal(says("version", "3"), "version 3");
  expect_refusal(says("context", "-1"), "'context'");
  expect_refusal(says("context", "12x"), "'context'");
  expect_refusal(says("chat", "perhaps"), "'chat'");
  expect_refusal(says("groups", "inputs"), "'groups'");
  expect_refusal(says("labels_from", "nowhere"), "'labels_from'");
  expect_refusal(says("normalization", "mean"), "'mean'");
  expect_refusal(says("prompt", "no field at all"), "lie");
  expect_refusal(says("k", "3"), "fit k");
  expect_refusal(says("k", ""), "'k'");
}

TEST_F(LyingTextModel, IsRefusedForEveryArray) {
  const Parts honest(io::SafetensorsFile::open(folder_ / "model"));
  for (const auto& [name, part] : honest.arrays) {
    expect_refusal([name = name](Parts& p) { p.arrays.erase(name); }, name);
    expect_refusal([name = name](Parts& p) { p.arrays[name] = {.shape = {0, 0, 0}}; }, name);
  }
}

TEST_F(LyingTextModel, IsRefusedForItsScores) {
  const auto score = [](std::size_t i, double value) {
    return [=](Parts& parts) { parts.arrays["nearest"].set(i, value); };
  };
  expect_refusal(score(3, std::numeric_limits<double>::quiet_NaN()), "example 1");
  expect_refusal(score(2, -std::numeric_limits<double>::infinity()), "example 1");
  expect_refusal(score(0, 1e9), "ascending");
  expect_refusal([](Parts& p) { p.arrays["nearest"].shape = {2, 7}; }, "fit k");
  expect_refusal([](Parts& p) { p.arrays["nearest"] = {.shape = {0, 2}}; }, "fit k");
  expect_refusal(
      [](Parts& p) {
        p.arrays["nearest"].shape = {6, 2};
        p.arrays["nearest"].bytes.resize(6 * 2 * sizeof(double));
      },
      "per example");
}

TEST_F(LyingTextModel, IsRefusedForItsLabels) {
  const auto label = [](std::int64_t value) {
    return [=](Parts& parts) { parts.arrays["labels"].set(6, value); };
  };
  expect_refusal(label(4), "label of example 6");
  expect_refusal(label(-1), "label of example 6");
  expect_refusal(
      [](Parts& p) {
        p.arrays["labels"].shape = {6};
        p.arrays["labels"].bytes.resize(6 * sizeof(std::int64_t));
      },
      "per example");
}

TEST_F(LyingTextModel, IsRefusedForTheOffsetsOfItsTexts) {
  for (const std::string name : {"texts", "ids", "label_names", "text_columns"}) {
    const auto offset = [&](std::size_t i, std::int64_t value) {
      return [=](Parts& parts) { parts.arrays[name + "_offsets"].set(i, value); };
    };
    const std::string why = "'" + name + "_offsets'";
    expect_refusal(offset(0, 1), why);
    expect_refusal(offset(0, -1), why);
    expect_refusal(offset(1, 1'000'000'000), why);
    expect_refusal(offset(1, std::numeric_limits<std::int64_t>::min()), why);
    expect_refusal(
        [&](Parts& parts) {
          Part& part = parts.arrays[name];
          part.bytes.push_back(std::byte{'x'});
          part.shape[0] += 1;
        },
        why);
    expect_refusal(
        [&](Parts& parts) {
          parts.arrays[name + "_offsets"] = {.type = io::ElementType::i64, .shape = {0}};
        },
        why);
  }
}

TEST_F(LyingTextModel, IsRefusedForTextsThatAreNone) {
  for (const std::string name : {"texts", "ids", "label_names", "text_columns"}) {
    expect_refusal([&](Parts& parts) { parts.arrays[name].set(0, std::uint8_t{0xFF}); }, "UTF-8");
  }
  // The last character of a label's name is what tells it from the others.
  expect_refusal([](Parts& parts) { parts.arrays["label_names"].set(6, std::uint8_t{'1'}); },
                 "listed twice");
  const auto merge_last = [](const std::string& name, std::size_t count) {
    return [=](Parts& parts) {
      Part& offsets = parts.arrays[name + "_offsets"];
      std::int64_t end = 0;
      std::memcpy(&end, offsets.bytes.data() + count * sizeof end, sizeof end);
      offsets.shape = {count};
      offsets.bytes.resize(count * sizeof end);
      offsets.set(count - 1, end);
    };
  };
  expect_refusal(merge_last("texts", 7), "per example");
  expect_refusal(merge_last("ids", 7), "one id per example");
}

TEST_F(LyingTextModel, ThatIsNotAModelOrWasDamagedIsRefused) {
  expect_error([&] { (void)read_text_model(folder_.write("note", "no model at all")); },
               ErrorKind::bad_format, {"note"});
  expect_error([&] { (void)read_text_model(folder_ / "absent"); }, ErrorKind::not_found,
               {"absent"});
  const std::string whole = folder_.read("model");
  for (std::size_t at = 0; at < whole.size(); at += 37) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    expect_error([&] { (void)read_text_model(folder_.write("damaged", damaged)); },
                 ErrorKind::bad_format, {"damaged"});
  }
  for (std::size_t size = 0; size < whole.size(); size += 53) {
    expect_error([&] { (void)read_text_model(folder_.write("cut", whole.substr(0, size))); },
                 ErrorKind::bad_format, {"cut"});
  }
}

}  // namespace
}  // namespace caos
