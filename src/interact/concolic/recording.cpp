#include "interact/concolic/recording.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "interact/concolic/arithmetic.h"

namespace heddle::concolic {
namespace {

bool is_node_valid(const Recording& recording, const Node& node) {
  if (node.operation >= Operation::kCount || node.width < 1 || node.width > kWidestNode) return false;
  const uint32_t operands[] = {node.a, node.b, node.c};
  const size_t known = recording.nodes.size();
  for (uint32_t i = 0; i < operand_count(node.operation); ++i) {
    if (operands[i] == 0 || operands[i] >= known) return false;
  }
  const auto width = [&](uint32_t handle) { return recording.nodes[handle].width; };
  switch (node.operation) {
    case Operation::kConstant:
    case Operation::kInput:
      return true;
    case Operation::kZExt:
    case Operation::kSExt:
      return width(node.a) < node.width;
    case Operation::kExtract:
      return uint64_t{node.c} + node.width <= width(node.a);
    case Operation::kConcat:
      return width(node.a) + width(node.b) == node.width;
    case Operation::kIte:
      return width(node.a) == 1 && width(node.b) == node.width && width(node.c) == node.width;
    case Operation::kTable:
      return node.width % 8 == 0 && width(node.a) == 64 && node.c < recording.tables.size() &&
             recording.tables[node.c].size() >= node.width / 8U;
    default:
      break;
  }
  if (width(node.a) != width(node.b)) return false;
  const bool is_predicate = node.operation >= Operation::kEq && node.operation <= Operation::kSMulOverflow;
  return is_predicate ? node.width == 1 : width(node.a) == node.width;
}

bool is_event_valid(const Recording& recording, const Event& event, size_t site_count) {
  if (event.site >= site_count || event.caller > site_count || event.kind > SiteKind::kObserve) return false;
  if (event.condition == 0) return true;
  if (event.condition >= recording.nodes.size()) return false;
  return event.kind == SiteKind::kObserve || recording.nodes[event.condition].width == 1;
}

bool next_number(std::istringstream& line, uint32_t& number) {
  std::string word;
  if (!std::getline(line, word, '\t')) return false;
  return std::from_chars(word.data(), word.data() + word.size(), number).ec == std::errc();
}

}  // namespace

Expected<std::vector<Site>> parse_sites(const std::string& text) {
  std::vector<Site> sites;
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line != kSitesTitle)
    return usage_error("the program was not compiled by this heddle for concolic execution");
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    Site site;
    uint32_t kind = 0;
    uint32_t in_library = 0;
    std::string folder;
    std::string file;
    const bool is_complete =
        next_number(words, kind) && next_number(words, in_library) && next_number(words, site.place.line) &&
        next_number(words, site.place.column) && next_number(words, site.if_taken.line) &&
        next_number(words, site.if_taken.column) && next_number(words, site.if_not_taken.line) &&
        next_number(words, site.if_not_taken.column) && std::getline(words, site.function, '\t') &&
        std::getline(words, folder, '\t');
    if (!is_complete || kind > static_cast<uint32_t>(SiteKind::kObserve))
      return internal_error(fmt::format("site {} of the instrumented program is not readable", sites.size()));
    std::getline(words, file);
    site.kind = static_cast<SiteKind>(kind);
    site.in_library = in_library != 0;
    site.file = (std::filesystem::path(folder) / file).lexically_normal().string();
    sites.push_back(std::move(site));
  }
  return sites;
}

Expected<Recording> read_recording(std::span<const unsigned char> arena, size_t site_count) {
  const auto damaged = [](const char* what) {
    return usage_error(fmt::format("the program wrote over the record of its execution: its {}", what));
  };
  ArenaHeader header;
  if (arena.size() < sizeof(header)) return damaged("header is not whole");
  std::memcpy(&header, arena.data(), sizeof(header));
  const ArenaLayout layout = arena_layout(header.node_capacity, header.event_capacity, header.table_capacity,
                                          header.table_byte_capacity);
  const bool fits = header.magic == kArenaMagic && layout.size <= arena.size() &&
                    header.node_count <= header.node_capacity && header.node_count >= 1 &&
                    header.event_count <= header.event_capacity &&
                    header.table_count <= header.table_capacity &&
                    header.table_byte_count <= header.table_byte_capacity && header.stop <= Stop::kTables;
  if (!fits) return damaged("header is damaged");
  Recording recording;
  recording.reached_main = header.started != 0;
  recording.stop = header.stop;
  recording.mismatches = header.mismatches;
  for (uint32_t i = 0; i < header.table_count; ++i) {
    Table table;
    std::memcpy(&table, arena.data() + layout.tables + i * sizeof(table), sizeof(table));
    if (table.data > header.table_byte_count || header.table_byte_count - table.data < table.size)
      return damaged("tables are damaged");
    const unsigned char* const bytes = arena.data() + layout.table_bytes + table.data;
    recording.tables.emplace_back(bytes, bytes + table.size);
  }
  recording.nodes.reserve(header.node_count);
  recording.nodes.emplace_back();
  for (uint32_t i = 1; i < header.node_count; ++i) {
    Node node;
    std::memcpy(&node, arena.data() + layout.nodes + i * sizeof(node), sizeof(node));
    if (!is_node_valid(recording, node)) return damaged("expressions are damaged");
    recording.nodes.push_back(node);
  }
  recording.events.resize(header.event_count);
  std::memcpy(recording.events.data(), arena.data() + layout.events, header.event_count * sizeof(Event));
  for (const Event& event : recording.events) {
    if (!is_event_valid(recording, event, site_count)) return damaged("events are damaged");
  }
  return recording;
}

std::vector<size_t> branches_of(const Recording& recording) {
  std::vector<size_t> branches;
  for (size_t i = 0; i < recording.events.size(); ++i) {
    if (is_branch(recording.events[i])) branches.push_back(i);
  }
  return branches;
}

bool takes_other_side(const Recording& path, size_t event, const Recording& other) {
  size_t theirs = 0;
  for (size_t ours = 0; ours <= event; ++ours) {
    const Event& expected = path.events[ours];
    if (!is_branch(expected)) continue;
    while (theirs < other.events.size() && !is_branch(other.events[theirs])) ++theirs;
    if (theirs == other.events.size()) return false;
    const Event& found = other.events[theirs++];
    if (found.site != expected.site || found.kind != expected.kind) return false;
    const bool is_other =
        found.taken != expected.taken ||
        (ours == event && expected.kind == SiteKind::kAddress && found.value != expected.value);
    if (is_other != (ours == event)) return false;
  }
  return true;
}

}  // namespace heddle::concolic
