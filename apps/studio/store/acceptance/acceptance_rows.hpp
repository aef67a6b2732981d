#pragma once

#include <span>
#include <vector>

#include "apps/studio/store/acceptance/acceptance_record.hpp"
#include "caos/io/sqlite.hpp"

// Acceptances as rows. Nothing is checked here.
namespace caos::studio {

/// The oldest first.
[[nodiscard]] std::vector<Acceptance> acceptances_of(io::sqlite::Connection& db, Id project);

/// Writes an acceptance as it is, but for its number, which it gives.
Id insert_acceptance(io::sqlite::Connection& db, Id project, const Acceptance& acceptance);
/// Everything but the candidates and their points.
void update_acceptance(io::sqlite::Connection& db, const Acceptance& acceptance);

void insert_candidates(io::sqlite::Connection& db, Id acceptance, std::span<const Id> images);
/// Those that are still there.
[[nodiscard]] std::vector<Id> candidates_of(io::sqlite::Connection& db, Id acceptance);
/// How many of them have or had points.
[[nodiscard]] std::size_t num_reviewed(io::sqlite::Connection& db, Id acceptance);

void insert_decided(io::sqlite::Connection& db, Id acceptance,
                    std::span<const DecidedPoint> points);
/// The accepted ones, image by image.
[[nodiscard]] std::vector<DecidedPoint> accepted_points(io::sqlite::Connection& db, Id acceptance);

/// What could be accepted now.
[[nodiscard]] CandidateImages candidates_now(io::sqlite::Connection& db, const Project& project);

}  // namespace caos::studio
