#pragma once

#include <cstdint>
#include <utility>

#include "apps/studio/store/backups/snapshot.hpp"
#include "caos/landmarks/formats/json/json_view.hpp"

// Parts of project.json that earlier versions did not have.
namespace caos::studio {

[[nodiscard]] landmarks::Json acceptance_json(const Acceptance& acceptance);
[[nodiscard]] Acceptance acceptance_in(const landmarks::JsonView& view);

[[nodiscard]] landmarks::Json measures_json(const Measures& measures);
[[nodiscard]] Measures measures_in(const landmarks::JsonView& view);

/// A whole number in the range of its type.
template <typename Integer>
Integer whole(const landmarks::JsonView& view) {
  const landmarks::Json& json = view.json();
  const bool fits =
      json.is_number_unsigned()
          ? std::in_range<Integer>(json.get<std::uint64_t>())
          : json.is_number_integer() && std::in_range<Integer>(json.get<std::int64_t>());
  if (!fits) view.refuse("not a whole number in range");
  return json.get<Integer>();
}

}  // namespace caos::studio
