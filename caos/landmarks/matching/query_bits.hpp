#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "caos/evaluation.hpp"
#include "caos/scores.hpp"

namespace caos {

/// Sets of queries: one row of bits for each set, one word for each group of 32 queries.
class QueryBits {
 public:
  QueryBits(std::size_t num_rows, std::size_t num_groups)
      : num_rows_(num_rows), num_groups_(num_groups), words_(num_rows * num_groups) {}

  void put(std::size_t row, std::size_t group, std::uint32_t word) {
    words_[row * num_groups_ + group] = word;
  }

  void add(std::size_t row, std::size_t query) {
    words_[row * num_groups_ + query / 32] |= std::uint32_t{1} << (query % 32);
  }

  [[nodiscard]] bool holds(std::size_t row, std::size_t query) const {
    return (words_[row * num_groups_ + query / 32] >> (query % 32) & 1U) != 0;
  }

  /// Adds the members of as many other sets: query i of those is query `numbers[i]` of these.
  void add(const QueryBits& others, std::span<const std::uint32_t> numbers) {
    for (std::size_t row = 0; row < num_rows_; ++row) {
      for (std::size_t g = 0; g < others.num_groups_; ++g) {
        std::uint32_t word = others.words_[row * others.num_groups_ + g];
        for (; word != 0; word &= word - 1) {
          const std::size_t i = g * 32 + static_cast<std::size_t>(std::countr_zero(word));
          add(row, std::size_t{numbers[i]});
        }
      }
    }
  }

  /// The same sets of other queries: query i of this is query `numbers[i]` of the result.
  [[nodiscard]] QueryBits renumbered(std::span<const std::uint32_t> numbers,
                                     std::size_t num_groups) const {
    QueryBits result(num_rows_, num_groups);
    result.add(*this, numbers);
    return result;
  }

  /// How many of the queries begin, ..., end - 1 are in the set.
  [[nodiscard]] std::size_t count(std::size_t row, std::size_t begin, std::size_t end) const {
    std::size_t total = 0;
    for (std::size_t g = begin / 32; g * 32 < end; ++g) {
      total += static_cast<std::size_t>(std::popcount(part(row, g, begin, end)));
    }
    return total;
  }

  /// Those queries, counted from `begin`.
  [[nodiscard]] PredictionSet set(std::size_t row, std::size_t begin, std::size_t end) const {
    PredictionSet labels;
    for (std::size_t g = begin / 32; g * 32 < end; ++g) {
      for (std::uint32_t word = part(row, g, begin, end); word != 0; word &= word - 1) {
        labels.push_back(
            static_cast<Label>(g * 32 + static_cast<std::size_t>(std::countr_zero(word)) - begin));
      }
    }
    return labels;
  }

  /// What the set of one image, queries begin, ..., end - 1, is worth where `truth` is right.
  [[nodiscard]] Outcome outcome(std::size_t row, std::size_t begin, std::size_t end,
                                Label truth) const {
    return Outcome::of_set(holds(row, begin + truth), count(row, begin, end));
  }

 private:
  /// The word of a group without the queries outside of begin, ..., end - 1.
  [[nodiscard]] std::uint32_t part(std::size_t row, std::size_t g, std::size_t begin,
                                   std::size_t end) const {
    std::uint32_t word = words_[row * num_groups_ + g];
    if (begin > g * 32) word = word >> (begin - g * 32) << (begin - g * 32);
    if (end < (g + 1) * 32) word &= (std::uint32_t{1} << (end - g * 32)) - 1;
    return word;
  }

  std::size_t num_rows_;
  std::size_t num_groups_;
  std::vector<std::uint32_t> words_;
};

}  // namespace caos
