#pragma once

#include "apps/cli/audit/audit_plan.hpp"
#include "apps/cli/program.hpp"
#include "caos/conformal/audit_report.hpp"

namespace caos::cli {

/// The counts and what follows from them.
[[nodiscard]] Json bound_json(const AuditBound& bound);

/// The report, with the names of the images whose landmarks lie outside.
[[nodiscard]] Json to_json(const AuditReport& report, const AuditPlan& plan);
[[nodiscard]] std::string to_text(const AuditReport& report, const AuditPlan& plan);

}  // namespace caos::cli
