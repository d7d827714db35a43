// SiteMap: where the branches and marks of recordings are in the flow of the program.
//
// A recording speaks of places in the source, as the optimising compiler has kept them: exact for most
// branches, a line for some, none for a few. Where no statement holds a place, the nearest one of its line
// stands for it, then the nearest of its function, then where the function begins.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interact/concolic/recording.h"
#include "interact/program_graph.h"

namespace heddle::interact {

class SiteMap {
 public:
  enum class Match : uint8_t { kExact, kLine, kFunction, kNowhere };

  struct Mapped {
    Match match = Match::kNowhere;
    StatementIndex statement = kNone;
    std::vector<PointIndex> points;        // of the statement, in the functions that the site is in
    std::vector<PointIndex> if_taken;      // where control goes if the condition holds,
    std::vector<PointIndex> if_not_taken;  // and if not
  };

  // Both must outlive it.
  SiteMap(const ProgramGraph& graph, const std::vector<concolic::Site>& sites);

  const Mapped& of(concolic::SiteNumber site) const;

 private:
  struct Found {
    Match match = Match::kNowhere;
    StatementIndex statement = kNone;
    std::vector<PointIndex> points;
  };
  Mapped map(const concolic::Site& site) const;
  Found find(const concolic::Site& site, const concolic::SourcePlace& place) const;
  std::optional<StatementIndex> find_in_file(const std::string& file, const concolic::SourcePlace& place,
                                             Match* match) const;
  std::optional<StatementIndex> nearest_in(const std::vector<ProcedureIndex>& procedures,
                                           const std::string& file, uint32_t line) const;
  std::vector<PointIndex> side(const concolic::Site& site, const concolic::SourcePlace& place,
                               const Found& here) const;
  std::vector<PointIndex> points_in(StatementIndex statement,
                                    const std::vector<ProcedureIndex>& procedures) const;
  const std::vector<ProcedureIndex>& procedures_of(const std::string& linkage_name) const;
  // The name that the program's facts have for a file.
  const std::string& known_name(const std::string& absolute) const;

  const ProgramGraph& graph_;
  const std::vector<concolic::Site>& sites_;
  std::vector<std::vector<PointIndex>> points_of_;  // by statement
  std::map<std::string, std::vector<StatementIndex>, std::less<>>
      statements_of_;                                              // by file; only with points
  std::map<std::string, std::vector<ProcedureIndex>> procedures_;  // by name in the binary
  mutable std::map<std::string, std::string> known_names_;
  mutable std::vector<std::optional<Mapped>> mapped_;
};

}  // namespace heddle::interact
