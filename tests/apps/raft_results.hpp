#pragma once

#include "apps/cli/program.hpp"

namespace caos::cli {

/// A small synthetic run of `caos experiment raft` with every part.
inline Json raft_results() {
  return Json::parse(R"({
    "version": "0.1.0", "command": "caos experiment raft --data raft",
    "setting": {"tasks": 2, "seeds": 5, "error_over": "5 splits", "seed": 3, "test": 10,
                "k": 3, "alphas": ["0.1"],
                "model": "builtin", "description": "builtin, no weights",
                "identity": "builtin-1", "template": "paper", "template_hash": "12ab",
                "normalization": "average",
                "normalization_meaning": "average: log-likelihood per token"},
    "assumption": "examples are exchangeable",
    "overall": [
      {"method": "caos", "alpha": "0.1", "guarantee": "marginal", "why_none": null,
       "coverage": {"mean": 0.9125, "sem": 0.0104}, "errors_from_target": 1.2,
       "mean_set_size": {"mean": 8.875, "sem": 0.25}},
      {"method": "scos-best", "alpha": "0.1", "guarantee": "none", "why_none": "it chose late",
       "coverage": {"mean": 0.85, "sem": null}, "errors_from_target": null,
       "mean_set_size": {"mean": 9.5, "sem": null}}],
    "groups": [
      {"alpha": "0.1", "target": 0.9, "tasks": 2, "caos_smaller": 1, "caos_equal": 0,
       "parts": [{"reaches": "both", "tasks": ["mail"]},
                 {"reaches": "caos-only", "tasks": ["bank"]}]}],
    "tasks": [
      {"task": "mail", "texts": 50, "labels": 2, "text_columns": ["Title", "Body"],
       "labeled": 40, "test": 10, "pairs": 2450, "shortened": 0},
      {"task": "bank", "texts": 50, "labels": 77, "text_columns": ["Query"],
       "labeled": 40, "test": 10, "pairs": 2450, "shortened": 321}],
    "results": [
      {"task": "mail", "method": "caos", "alpha": "0.1", "guarantee": "marginal", "why_none": null,
       "feasible": true, "coverage": {"mean": 0.905, "sem": 0.011, "low": 0.811, "high": 0.967},
       "mean_set_size": {"mean": 1.25, "sem": 0.031}, "singleton_rate": 0.75, "empty_rate": 0},
      {"task": "mail", "method": "scos", "alpha": "0.1", "guarantee": "marginal", "why_none": null,
       "feasible": true, "coverage": {"mean": 0.931, "sem": 0.012},
       "mean_set_size": {"mean": 1.75, "sem": 0.042}, "singleton_rate": 0.25, "empty_rate": 0},
      {"task": "mail", "method": "scos-best", "alpha": "0.1", "guarantee": "none",
       "why_none": "it chose late", "feasible": true, "coverage": {"mean": 0.823, "sem": 0.013},
       "mean_set_size": {"mean": 1.125, "sem": 0.053}, "singleton_rate": 0.875, "empty_rate": 0},
      {"task": "bank", "method": "caos", "alpha": "0.1", "guarantee": "marginal", "why_none": null,
       "feasible": true, "coverage": {"mean": 0.92, "sem": 0.014},
       "mean_set_size": {"mean": 43.5, "sem": 1.5}, "singleton_rate": 0, "empty_rate": 0.125},
      {"task": "bank", "method": "scos", "alpha": "0.1", "guarantee": "marginal", "why_none": null,
       "feasible": false, "coverage": {"mean": 0.881, "sem": 0.015},
       "mean_set_size": {"mean": 41.5, "sem": 1.75}, "singleton_rate": 0, "empty_rate": 0}],
    "notes": ["as it is"]
})");
}

}  // namespace caos::cli
