#include "apps/cli/text/text_score_output.hpp"

#include <fmt/format.h>

#include "apps/cli/progress_bar.hpp"

namespace caos::cli {
namespace {

Json table_json(const LabeledTable& table) {
  Json json = {{"train", table.name},
               {"num_texts", table.size()},
               {"num_labels", table.labels.size()},
               {"labels_from", table.labels_from}};
  if (table.labels_from == "train") json["risk"] = train_labels_risk;
  return json;
}

std::string table_text(const LabeledTable& table, const std::string& model) {
  return fmt::format("{}: {} texts, {} labels, model {}\n", table.name, table.size(),
                     table.labels.size(), model);
}

std::string tokens_text(const text::ScoringCost& cost) {
  if (cost.tokens == 0) return "";
  return fmt::format(
      "  tokens                    {}; {} if every prompt were evaluated by itself\n", cost.tokens,
      cost.separate_tokens);
}

/// Some models have no tokens.
std::string evaluated_text(std::uint64_t tokens) {
  return tokens == 0 ? "" : fmt::format("  tokens evaluated          {}\n", tokens);
}

std::string shortened_text(std::uint64_t shortened) {
  return shortened == 0
             ? "none"
             : fmt::format("{} pairs, whose texts are cut to fit the context", shortened);
}

std::string planned_shortened_text(const TextForecast& forecast) {
  return forecast.knows_shortened() ? shortened_text(forecast.plan.cost.shortened)
                                    : "not known without sending texts";
}

std::string time_text(const TextForecast& forecast) {
  const std::optional<double> seconds = forecast.estimated_seconds();
  if (!seconds) {
    return forecast.pairs_to_compute() == 0 ? "none" : "not known without sending texts";
  }
  return fmt::format("about {} (from {} pairs in {:.2g} s)", duration_text(*seconds),
                     forecast.measured->pairs, forecast.measured->seconds);
}

std::string embedded_text(const ScoringReport& report) {
  const EmbeddingTally& tally = *report.embeddings;
  return fmt::format(
      "  texts and labels          {}\n"
      "  found in the store        {}\n"
      "  embedded                  {}\n"
      "  truncated                 {}\n"
      "  time                      {:.3g} s\n"
      "  store                     {}\n",
      tally.texts, tally.from_store, tally.texts - tally.from_store, tally.truncated,
      report.seconds, report.store);
}

std::string leaving_text(const TextForecast& forecast) {
  if (forecast.destination.empty()) return "nothing";
  const text::ScoringCost& cost = forecast.plan.cost;
  const std::string size =
      cost.bytes_sent > 0 ? fmt::format(" ({} requests, {} bytes)", cost.requests, cost.bytes_sent)
                          : "";
  return fmt::format("texts and labels, to {}{}", forecast.destination, size);
}

}  // namespace

Json to_json(const EncoderPlanOutput& output) {
  Json json = table_json(output.table);
  json["dry_run"] = true;
  json["model"] = output.model;
  json["model_description"] = output.description;
  json["texts_to_embed"] = output.to_embed;
  json["sent_to"] = output.destination.empty() ? Json(nullptr) : Json(output.destination);
  return json;
}

std::string to_text(const EncoderPlanOutput& output) {
  return table_text(output.table, output.description) +
         fmt::format(
             "  texts and labels to embed {}\n"
             "  leaves this program       {}\n",
             output.to_embed,
             output.destination.empty() ? "nothing" : "texts and labels, to " + output.destination);
}

Json to_json(const TextScoreOutput& output) {
  Json json = table_json(output.table);
  add_to(json, output.scoring);
  json["seconds"] = output.scoring.seconds;
  return json;
}

std::string to_text(const TextScoreOutput& output) {
  const ScoringReport& report = output.scoring;
  if (report.embeddings) {
    return table_text(output.table, report.description) + embedded_text(report);
  }
  return table_text(output.table, report.description) +
         fmt::format(
             "  pairs (reference, text)   {}\n"
             "  found in the store        {}\n"
             "  computed                  {}\n"
             "{}"
             "  shortened                 {}\n"
             "  time                      {:.3g} s\n"
             "  store                     {}\n",
             report.tally.pairs, report.tally.pairs_from_store,
             report.tally.pairs - report.tally.pairs_from_store,
             evaluated_text(report.tally.tokens), shortened_text(report.tally.shortened),
             report.seconds, report.store);
}

Json to_json(const TextPlanOutput& output) {
  Json json = table_json(output.table);
  const TextForecast& forecast = output.forecast;
  const text::ScoringCost& cost = forecast.plan.cost;
  json["dry_run"] = true;
  json["model"] = output.model;
  json["model_description"] = output.description;
  json["normalization"] = output.normalization;
  json["pairs"] = forecast.plan.pairs;
  json["pairs_in_store"] = forecast.plan.pairs_in_store;
  json["pairs_to_compute"] = forecast.pairs_to_compute();
  json["prompts"] = forecast.prompts();
  json["tokens"] = cost.tokens > 0 ? Json(cost.tokens) : Json(nullptr);
  json["tokens_separately"] = cost.tokens > 0 ? Json(cost.separate_tokens) : Json(nullptr);
  json["shortened"] = forecast.knows_shortened() ? Json(cost.shortened) : Json(nullptr);
  json["estimated_seconds"] = json_number(forecast.estimated_seconds());
  json["sent_to"] = forecast.destination.empty() ? Json(nullptr) : Json(forecast.destination);
  json["requests"] = cost.requests;
  json["bytes_sent"] = cost.bytes_sent;
  return json;
}

std::string to_text(const TextPlanOutput& output) {
  const TextForecast& forecast = output.forecast;
  return table_text(output.table, output.description) +
         fmt::format(
             "  pairs (reference, text)   {}, of which the store has {}\n"
             "  prompts                   {}, {} pairs with {} labels each\n",
             forecast.plan.pairs, forecast.plan.pairs_in_store, forecast.prompts(),
             forecast.pairs_to_compute(), output.table.labels.size()) +
         tokens_text(forecast.plan.cost) +
         fmt::format(
             "  shortened                 {}\n"
             "  time                      {}\n"
             "  leaves this program       {}\n"
             "This was a dry run: nothing was kept.\n",
             planned_shortened_text(forecast), time_text(forecast), leaving_text(forecast));
}

}  // namespace caos::cli
