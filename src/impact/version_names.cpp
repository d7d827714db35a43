#include "impact/version_names.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "trace/hash.h"
#include "trace/variable_key.h"

namespace heddle {
namespace {

using trace::fnv1a;
using trace::mix_key;
using trace::ObjectKind;

uint64_t key_of(const StatementId& statement) {
  return fnv1a(
      fmt::format("{}\n{}\n{}", statement.function.file, statement.function.signature, statement.index),
      trace::kFnvBasis);
}

// What is known of one version; the other one's names are meant.
struct Place {
  uint64_t key = 0;
  bool is_changed = false;
};
using PlaceOfFrame = std::function<Place(const Frame& frame)>;
// As the base calls them.
struct NamesOfVariables {
  std::function<std::string(const std::string&)> global = std::identity();
  std::function<std::string(const std::string&)> local = std::identity();
};

// Of a file that has not changed, or of a library.
Place unchanged_place(const std::string& file, const Frame& frame) {
  return {.key = fnv1a(fmt::format("{}:{}:{}", file, frame.line, frame.column), trace::kFnvBasis)};
}

// Without debug information; or where no statement is, as in a constructor that nobody has written.
Place place_of_function(const std::string& function) {
  return {.key = fnv1a(function, trace::kFnvBasis)};
}

// Fields keep their offsets unless a class has others than before.
bool has_other_fields(const StatementMap& map) {
  for (const DeclarationChange& change : map.declarations()) {
    if (change.is_only_renamed) continue;
    for (const std::optional<SourceDeclaration>* side : {&change.before, &change.after})
      if (*side && (*side)->kind == DeclarationKind::kField) return true;
  }
  return false;
}

// Its tables (of those who wait for an atomic, of locks for shared pointers) are hashed by the addresses of
// the program's objects. Which part of one is used says where those lie, and nothing of what they are.
bool is_of_standard_library(std::string_view variable) {
  return variable.starts_with("std::") || variable.starts_with("__gnu_");
}

VersionNames names_of(TraceSymbols& symbols, const PlaceOfFrame& place_of,
                      const NamesOfVariables& variables = {}) {
  VersionNames names;
  const trace::Trace& trace = symbols.trace();
  names.statements.resize(trace.sites().size());
  names.is_changed.resize(trace.sites().size());
  names.calls.resize(trace.sites().size());
  for (uint32_t site = 1; site < trace.sites().size(); ++site) {
    uint64_t key = 0;
    for (const StackFrame& frame : symbols.stack(site, 0)) {
      const Place place = place_of(frame.frame);
      key = mix_key(key, place.key);
      if (place.is_changed) names.is_changed[site] = true;
      names.calls[site].push_back(place.key);
    }
    std::ranges::reverse(names.calls[site]);
    names.statements[site] = key;
  }
  names.part = [&symbols, variables](uint32_t object, uint64_t offset) -> uint64_t {
    switch (symbols.trace().objects()[object].kind) {
      case ObjectKind::kGlobal:
        if (const std::optional<Variable> variable = symbols.variable_at(object, offset)) {
          const uint64_t name = fnv1a(variables.global(variable->name), trace::kFnvBasis);
          return is_of_standard_library(variable->name) ? name : mix_key(name, variable->offset);
        }
        return offset;
      case ObjectKind::kStack:
        if (const std::string name = symbols.variable_name(object, offset); !name.empty())
          return fnv1a(variables.local(name), trace::kFnvBasis);
        return offset;
      default:
        return offset;
    }
  };
  return names;
}

PlaceOfFrame places_of_base(const StatementMap& map, NameOfFile name_of) {
  return [&map, name_of = std::move(name_of)](const Frame& frame) {
    if (frame.file.empty()) return place_of_function(frame.function);
    const std::string file = name_of(frame.file).value_or(frame.file);
    if (const auto statement = map.base_statement_at(file, frame.line, frame.column))
      return Place{.key = key_of(*statement)};
    return map.has_base_file(file) ? place_of_function(frame.function) : unchanged_place(file, frame);
  };
}

PlaceOfFrame places_of_head(const StatementMap& map, NameOfFile name_of) {
  return [&map, name_of = std::move(name_of)](const Frame& frame) {
    if (frame.file.empty()) return place_of_function(map.under_old_names(frame.function));
    const std::string file = name_of(frame.file).value_or(frame.file);
    const auto statement = map.head_statement_at(file, frame.line, frame.column);
    if (!statement && map.has_head_file(file)) return place_of_function(map.under_old_names(frame.function));
    if (!statement) return unchanged_place(file, frame);
    const bool is_changed = map.is_changed(*statement);
    const auto before = map.to_old(*statement);
    if (!before) return Place{.key = mix_key(key_of(*statement), 1), .is_changed = true};
    return Place{.key = key_of(*before), .is_changed = is_changed};
  };
}

// Where the files of a trace lie, for which `root_of` knows one of them; else nowhere, and they are as they
// are.
NameOfFile names_below_root(TraceSymbols& symbols,
                            const std::function<std::optional<std::string>(std::string_view)>& root_of) {
  std::optional<std::string> root;
  for (uint32_t site = 1; site < symbols.trace().sites().size() && !root; ++site)
    for (const StackFrame& frame : symbols.stack(site, 0))
      if (!root) root = root_of(frame.frame.file);
  return [root](const std::string& file) -> std::optional<std::string> {
    if (!root || !file.starts_with(*root)) return std::nullopt;
    return file.substr(root->size());
  };
}

PlaceOfFrame places_of_base(TraceSymbols& symbols, const LineMap& map) {
  const NameOfFile name_of =
      names_below_root(symbols, [&](std::string_view path) { return map.base_root(path); });
  return [name_of](const Frame& frame) {
    if (frame.file.empty()) return place_of_function(frame.function);
    return unchanged_place(name_of(frame.file).value_or(frame.file), frame);
  };
}

PlaceOfFrame places_of_head(TraceSymbols& symbols, const LineMap& map) {
  const NameOfFile name_of =
      names_below_root(symbols, [&](std::string_view path) { return map.head_root(path); });
  return [&map, name_of](const Frame& frame) {
    if (frame.file.empty()) return place_of_function(frame.function);
    const LineMap::Line line = map.to_base(name_of(frame.file).value_or(frame.file), frame.line);
    Frame before = frame;
    before.line = line.line;
    Place place = unchanged_place(line.file, before);
    place.is_changed = line.is_changed;
    if (line.is_new) place.key = mix_key(unchanged_place(frame.file, frame).key, 1);
    return place;
  };
}

NameOfStatement keys_of(PlaceOfFrame place_of) {
  return [place_of = std::move(place_of)](const Frame& frame) { return place_of(frame).key; };
}

}  // namespace

NameOfStatement statements_of_base(const StatementMap& map, NameOfFile name_of) {
  return keys_of(places_of_base(map, std::move(name_of)));
}

NameOfStatement statements_of_head(const StatementMap& map, NameOfFile name_of) {
  return keys_of(places_of_head(map, std::move(name_of)));
}

NameOfStatement statements_of_base(TraceSymbols& symbols, const LineMap& map) {
  return keys_of(places_of_base(symbols, map));
}

NameOfStatement statements_of_head(TraceSymbols& symbols, const LineMap& map) {
  return keys_of(places_of_head(symbols, map));
}

VersionNames names_in_base(TraceSymbols& symbols, const LineMap& map) {
  return names_of(symbols, places_of_base(symbols, map));
}

VersionNames names_in_head(TraceSymbols& symbols, const LineMap& map) {
  VersionNames names = names_of(symbols, places_of_head(symbols, map));
  // A diff does not tell what is a field.
  names.has_other_fields = !map.is_empty();
  return names;
}

VersionNames names_in_base(TraceSymbols& symbols, const StatementMap& map, const NameOfFile& name_of) {
  return names_of(symbols, places_of_base(map, name_of));
}

VersionNames names_in_head(TraceSymbols& symbols, const StatementMap& map, const NameOfFile& name_of) {
  VersionNames names =
      names_of(symbols, places_of_head(map, name_of),
               {.global = [&map](const std::string& name) { return map.under_old_names(name); },
                .local = [&map](const std::string& name) { return map.local_under_old_names(name); }});
  names.has_other_fields = has_other_fields(map);
  return names;
}

}  // namespace heddle
