// Names of what is in the traces of two builds, from their debug information and the map of statements.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "change/statement_map.h"
#include "impact/comparable_trace.h"
#include "impact/line_map.h"
#include "symbolize/trace_symbols.h"

namespace heddle {

// A file of the debug information as the map of statements names it; nothing for files that are not the
// project's.
using NameOfFile = std::function<std::optional<std::string>(const std::string&)>;

// What a statement is called in VersionNames, but without the calls that are inlined around it.
using NameOfStatement = std::function<uint64_t(const Frame&)>;
// The map must outlive them.
NameOfStatement statements_of_base(const StatementMap& map, NameOfFile name_of);
NameOfStatement statements_of_head(const StatementMap& map, NameOfFile name_of);

// The same for two traces of which no more is known than a diff.
NameOfStatement statements_of_base(TraceSymbols& symbols, const LineMap& map);
NameOfStatement statements_of_head(TraceSymbols& symbols, const LineMap& map);

// All that is given must outlive the names.
VersionNames names_in_base(TraceSymbols& symbols, const StatementMap& map, const NameOfFile& name_of);
VersionNames names_in_head(TraceSymbols& symbols, const StatementMap& map, const NameOfFile& name_of);

VersionNames names_in_base(TraceSymbols& symbols, const LineMap& map);
VersionNames names_in_head(TraceSymbols& symbols, const LineMap& map);

}  // namespace heddle
