#include "caos/version.hpp"

namespace caos {

std::string_view version() { return CAOS_VERSION; }

}  // namespace caos
