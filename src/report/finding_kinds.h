// What the kinds of findings are called, what they mean, and how grave a finding is: said once for all
// reporters.
#pragma once

#include <span>
#include <string_view>

#include "report/finding.h"

namespace heddle {

struct FindingKind {
  std::string_view kind;   // Finding::kind
  std::string_view title;  // "Data race"
  std::string_view what;   // a sentence
  std::string_view help;   // what to do about it
};

// The gravest first.
std::span<const FindingKind> finding_kinds();

// One that is not in the list is told by its own name.
FindingKind finding_kind(std::string_view kind);

// Errors were executed and do harm; warnings were executed and may; notes are suspicions.
enum class Severity { kError, kWarning, kNote };
Severity severity_of(const Finding& finding);

// For sorting: what is new, then by severity, then by kind.
bool is_graver(const Finding& a, const Finding& b);

}  // namespace heddle
