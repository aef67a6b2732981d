#include "caos/guarantee.hpp"

namespace caos {

std::string Guarantee::name() const {
  switch (kind) {
    case Kind::marginal:
      return "marginal";
    case Kind::group_conditional:
      return "group-conditional";
    case Kind::simultaneous:
      return "simultaneous";
    case Kind::fdr:
      return "FDR";
    case Kind::pac:
      return "PAC";
    case Kind::none:
      break;
  }
  return "none";
}

std::string Guarantee::text() const {
  if (kind == Kind::none) return name() + " (" + why_none + ")";
  const std::string claim = kind == Kind::pac ? name() + " (" + scope + ")" : name();
  return listed_labels_only ? claim + ' ' + listed_labels_cost : claim;
}

}  // namespace caos
