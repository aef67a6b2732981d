#include "caos/text/models/language_model.hpp"

namespace caos::text {

ScoringCost& ScoringCost::operator+=(const ScoringCost& other) {
  tokens += other.tokens;
  separate_tokens += other.separate_tokens;
  shortened += other.shortened;
  requests += other.requests;
  bytes_sent += other.bytes_sent;
  return *this;
}

}  // namespace caos::text
