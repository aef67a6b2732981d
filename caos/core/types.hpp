#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace caos {

/// A candidate output y, counted from 0.
using Label = std::size_t;

/// A nonconformity score s_pi_j(x, y); smaller means more conforming.
using Score = double;

/// The scores of one pair (x, y) under many references, A_D(x, y): a multiset, so order is without
/// meaning.
using ScorePool = std::span<const Score>;

/// Positions of labelled examples, ascending and distinct.
using Indices = std::vector<std::size_t>;

}  // namespace caos
