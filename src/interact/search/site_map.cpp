#include "interact/search/site_map.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "support/check.h"

namespace heddle::interact {

using concolic::Site;
using concolic::SourcePlace;

namespace {

// Facts tell internal functions of different units apart by "@unit".
std::string name_in_binary(const std::string& linkage_name) {
  return linkage_name.substr(0, linkage_name.find('@'));
}

using LineAndColumn = std::pair<uint32_t, uint32_t>;

LineAndColumn begin_of(const SourceRange& range) {
  return {range.first_line, range.first_column};
}

bool holds_place(const ProgramStatement& statement, const SourcePlace& place) {
  const SourceRange& range = statement.range;
  // A line where no statement is known is all of it.
  if (statement.text.empty()) return range.first_line == place.line;
  const LineAndColumn at{place.line, place.column};
  return begin_of(range) <= at && at <= LineAndColumn{range.last_line, range.last_column};
}

}  // namespace

SiteMap::SiteMap(const ProgramGraph& graph, const std::vector<Site>& sites)
    : graph_(graph), sites_(sites), points_of_(graph.statements.size()), mapped_(sites.size()) {
  const Flow& flow = graph.flow.flow;
  for (PointIndex p = 0; p < flow.points.size(); ++p)
    if (const StatementIndex s = flow.points[p].statement; s != kNone) points_of_[s].push_back(p);
  for (StatementIndex s = 0; s < graph.statements.size(); ++s)
    if (!points_of_[s].empty()) statements_of_[graph.statements[s].file].push_back(s);
  for (ProcedureIndex f = 0; f < graph.flow.names.size(); ++f)
    procedures_[name_in_binary(graph.flow.names[f])].push_back(f);
}

const SiteMap::Mapped& SiteMap::of(concolic::SiteNumber site) const {
  HEDDLE_CHECK(site < mapped_.size());
  std::optional<Mapped>& known = mapped_[site];
  if (!known) known = map(sites_[site]);
  return *known;
}

SiteMap::Mapped SiteMap::map(const Site& site) const {
  Found here = find(site, site.place);
  Mapped mapped;
  mapped.if_taken = side(site, site.if_taken, here);
  mapped.if_not_taken = side(site, site.if_not_taken, here);
  mapped.match = here.match;
  mapped.statement = here.statement;
  mapped.points = std::move(here.points);
  return mapped;
}

SiteMap::Found SiteMap::find(const Site& site, const SourcePlace& place) const {
  const std::vector<ProcedureIndex>& procedures = procedures_of(site.function);
  const std::string& file = known_name(site.file);
  Found found;
  std::optional<StatementIndex> statement = find_in_file(file, place, &found.match);
  if (!statement) {
    statement = nearest_in(procedures, file, place.line);
    found.match = Match::kFunction;
  }
  if (statement) {
    found.statement = *statement;
    found.points = points_in(*statement, procedures);
    return found;
  }
  for (const ProcedureIndex f : procedures) found.points.push_back(graph_.flow.flow.entries[f]);
  found.match = found.points.empty() ? Match::kNowhere : Match::kFunction;
  return found;
}

std::optional<StatementIndex> SiteMap::find_in_file(const std::string& file, const SourcePlace& place,
                                                    Match* match) const {
  const auto in_file = statements_of_.find(file);
  if (in_file == statements_of_.end() || place.line == 0) return std::nullopt;
  std::optional<StatementIndex> innermost, line, next, before;
  for (const StatementIndex s : in_file->second) {
    const ProgramStatement& statement = graph_.statements[s];
    // In the order of their beginnings: what begins later is inside.
    if (holds_place(statement, place)) (statement.text.empty() ? line : innermost) = s;
    if (statement.range.first_line == place.line && statement.range.first_column > place.column && !next)
      next = s;
    if (statement.range.last_line == place.line && statement.range.last_column < place.column) before = s;
  }
  // A keyword stands before what it decides; a line without a statement is where the facts have that code.
  *match = Match::kExact;
  if (innermost) return innermost;
  if (line) return line;
  *match = Match::kLine;
  return next ? next : before;
}

std::optional<StatementIndex> SiteMap::nearest_in(const std::vector<ProcedureIndex>& procedures,
                                                  const std::string& file, uint32_t line) const {
  const auto in_file = statements_of_.find(file);
  if (in_file == statements_of_.end() || line == 0) return std::nullopt;
  std::optional<StatementIndex> nearest;
  uint32_t least = kNone;
  for (const StatementIndex s : in_file->second) {
    const bool is_here = std::any_of(points_of_[s].begin(), points_of_[s].end(), [&](PointIndex p) {
      const ProcedureIndex procedure = graph_.flow.flow.points[p].procedure;
      return std::find(procedures.begin(), procedures.end(), procedure) != procedures.end();
    });
    if (!is_here) continue;
    const uint32_t first = graph_.statements[s].range.first_line;
    const uint32_t distance = first > line ? first - line : line - first;
    if (distance < least) nearest = s;
    least = std::min(least, distance);
  }
  return nearest;
}

std::vector<PointIndex> SiteMap::side(const Site& site, const SourcePlace& place, const Found& here) const {
  const bool decides =
      site.kind == concolic::SiteKind::kBranch || site.kind == concolic::SiteKind::kSwitchCase;
  if (!decides) return here.points;
  const std::vector<Point>& points = graph_.flow.flow.points;
  std::vector<PointIndex> result;
  if (place.line == 0) {
    // Not known where: one of those that follow.
    for (const PointIndex p : here.points)
      result.insert(result.end(), points[p].next.begin(), points[p].next.end());
    return result.empty() ? here.points : result;
  }
  const Found there = find(site, place);
  // Inside of a statement (&&, ||), where is not known.
  if (there.statement == here.statement) return here.points;
  std::copy_if(there.points.begin(), there.points.end(), std::back_inserter(result),
               [&](PointIndex p) { return points[p].is_start; });
  return result.empty() ? there.points : result;
}

std::vector<PointIndex> SiteMap::points_in(StatementIndex statement,
                                           const std::vector<ProcedureIndex>& procedures) const {
  std::vector<PointIndex> result;
  for (const PointIndex p : points_of_[statement]) {
    const ProcedureIndex procedure = graph_.flow.flow.points[p].procedure;
    if (std::find(procedures.begin(), procedures.end(), procedure) != procedures.end()) result.push_back(p);
  }
  return result.empty() ? points_of_[statement] : result;
}

const std::vector<ProcedureIndex>& SiteMap::procedures_of(const std::string& linkage_name) const {
  static const std::vector<ProcedureIndex> none;
  const auto found = procedures_.find(name_in_binary(linkage_name));
  return found == procedures_.end() ? none : found->second;
}

// The project's files are named relative to its root, which the binary does not know.
const std::string& SiteMap::known_name(const std::string& absolute) const {
  const auto [known, is_new] = known_names_.try_emplace(absolute, absolute);
  if (!is_new || statements_of_.contains(absolute)) return known->second;
  for (size_t slash = absolute.find('/'); slash != std::string::npos; slash = absolute.find('/', slash + 1)) {
    const auto relative = statements_of_.find(std::string_view(absolute).substr(slash + 1));
    if (relative == statements_of_.end()) continue;
    known->second = relative->first;
    break;
  }
  return known->second;
}

}  // namespace heddle::interact
