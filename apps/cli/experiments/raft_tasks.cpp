#include "apps/cli/experiments/raft_tasks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "caos/error.hpp"
#include "caos/io/folder.hpp"
#include "caos/text/task_file.hpp"

namespace caos::cli {
namespace {

namespace fs = std::filesystem;

using Names = std::vector<std::string>;

struct RaftColumns {
  const char* task;
  Names columns;
};

/// What the benchmark's baselines read of each task, and in which order.
const std::vector<RaftColumns>& raft_columns() {
  static const std::vector<RaftColumns> columns = {
      {"ade_corpus_v2", {"Sentence"}},
      {"banking_77", {"Query"}},
      {"medical_subdomain_of_clinical_notes", {"Note"}},
      {"neurips_impact_statement_risks", {"Impact statement", "Paper title"}},
      {"one_stop_english", {"Article"}},
      {"overruling", {"Sentence"}},
      {"semiconductor_org_types", {"Organization name", "Paper title"}},
      {"systematic_review_inclusion", {"Title", "Abstract", "Journal"}},
      {"tai_safety_research",
       {"Title", "Abstract Note", "Publication Title", "Item Type", "Publication Year"}},
      {"terms_of_service", {"Sentence"}},
      {"tweet_eval_hate", {"Tweet"}},
      {"twitter_complaints", {"Tweet text"}},
  };
  return columns;
}

/// The baselines' columns, if the task is RAFT's; empty: task.json's. Another task may have the
/// name of one of RAFT's, but hardly its columns.
Names columns_of(const std::string& name, const text::TaskFile& task) {
  const auto known = std::ranges::find_if(
      raft_columns(), [&](const RaftColumns& columns) { return columns.task == name; });
  if (known == raft_columns().end()) return {};
  const bool has_all = std::ranges::all_of(known->columns, [&](const std::string& column) {
    return std::ranges::find(task.text_columns, column) != task.text_columns.end();
  });
  return has_all ? known->columns : Names();
}

/// The names of the folders that hold a task.json, sorted.
Names tasks_in(const std::string& data) {
  require(io::is_folder(data), ErrorKind::not_found,
          [&] { return fmt::format("{}: no such folder; --data needs one per task in it", data); });
  Names names;
  std::error_code failure;
  for (fs::directory_iterator entry(data, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code ignored;
    if (fs::exists(entry->path() / "task.json", ignored)) {
      names.push_back(entry->path().filename().string());
    }
  }
  require(!failure, ErrorKind::not_found,
          [&] { return fmt::format("{}: {}", data, failure.message()); });
  require(!names.empty(), ErrorKind::not_found, [&] {
    return fmt::format("{}: holds no tasks; a task is a folder with train.csv and task.json", data);
  });
  std::ranges::sort(names);
  return names;
}

Names chosen_tasks(const std::string& data, const Names& names) {
  const Names there = tasks_in(data);
  if (names.empty()) return there;
  Names chosen;
  for (const std::string& name : names) {
    require(std::ranges::find(there, name) != there.end(), ErrorKind::invalid_input, [&] {
      return fmt::format("--tasks: {} holds no task '{}'; there are {}", data, name,
                         fmt::join(there, ", "));
    });
    if (std::ranges::find(chosen, name) == chosen.end()) chosen.push_back(name);
  }
  return chosen;
}

LabeledTable read_task(const CommonOptions& common, const std::string& folder,
                       const std::string& name) {
  const std::string file = folder + "/task.json";
  TrainOptions train;
  train.train = folder + "/train.csv";
  train.labels_from = file;
  train.text_columns = columns_of(name, text::read_task_file(file));
  return read_labeled_table(common, train);
}

}  // namespace

std::vector<TaskFolder> read_tasks(const CommonOptions& common, const std::string& data,
                                   const Names& names) {
  std::vector<TaskFolder> tasks;
  for (const std::string& name : chosen_tasks(data, names)) {
    const std::string folder = (fs::path(data) / name).string();
    tasks.push_back({.name = name, .table = read_task(common, folder, name)});
  }
  return tasks;
}

}  // namespace caos::cli
