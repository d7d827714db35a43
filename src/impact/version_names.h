// Names of what is in the traces of two builds, from their debug information and the map of statements.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "change/statement_map.h"
#include "impact/comparable_trace.h"
#include "symbolize/trace_symbols.h"

namespace heddle {

// A file of the debug information as the map of statements names it; nothing for files that are not the
// project's.
using NameOfFile = std::function<std::optional<std::string>(const std::string&)>;

// All that is given must outlive the names.
VersionNames names_in_base(TraceSymbols& symbols, const StatementMap& map, const NameOfFile& name_of);
VersionNames names_in_head(TraceSymbols& symbols, const StatementMap& map, const NameOfFile& name_of);

}  // namespace heddle
