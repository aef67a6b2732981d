#include "caos/conformal/guarantee.hpp"

namespace caos {

std::string Guarantee::text() const {
  switch (kind) {
    case Kind::marginal:
      return "marginal";
    case Kind::group_conditional:
      return "group-conditional";
    case Kind::simultaneous:
      return "simultaneous";
    case Kind::none:
      break;
  }
  return "none (" + why_none + ")";
}

}  // namespace caos
