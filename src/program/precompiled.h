// PrecompiledHeaders: what units of a build include in common is compiled once.
//
// Most of the time that a C++ unit takes goes to the headers of libraries. Units with equal flags get a
// precompiled header of those that many of them include: the standard library's for all, and with them a
// library's (gtest, fmt …) for just the units that include it, since a library may define variables that
// every unit would get a copy of. A unit uses one only if nothing in its own text or flags could give the
// headers another meaning; if it does not compile with one, it is compiled without (load.cpp).
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "program/compile_unit.h"
#include "program/include_scan.h"

namespace heddle::program {

class PrecompiledHeaders {
 public:
  // `folder` is for the files that it makes. Plans for these units; they must outlive this.
  PrecompiledHeaders(std::string clang, std::filesystem::path folder, const std::filesystem::path& source,
                     const std::vector<const UnitCommand*>& units);

  size_t size() const { return headers_.size(); }
  // Builds one of them. For several threads, each with an index of its own; then assign().
  void build(size_t index);
  void assign();
  // What to add to the command of units[index]; nothing if it goes without.
  std::vector<std::string> arguments_for(size_t index) const;
  // Whether the unit is said to include the file only because the others that it shares headers with do.
  bool is_foreign(size_t index, const std::filesystem::path& file) const;

 private:
  struct Header {
    std::set<std::string> flags;  // that all its units have, without those that only name folders
    std::vector<std::string> ordered_flags;
    std::vector<std::string> includes;
    std::vector<std::filesystem::path> project;
    std::vector<size_t> units;
    std::filesystem::path file;
    bool is_built = false;
    std::set<std::filesystem::path> files;  // that it is made of
  };

  void plan_group(const std::vector<size_t>& group);
  void plan_header(const std::vector<size_t>& units, const std::set<std::string>& extras,
                   const std::vector<std::string>& common);
  bool build(size_t index, bool with_project);
  bool fits(const Header& header, size_t unit, const std::string& text);

  std::string clang_;
  std::filesystem::path folder_;
  std::filesystem::path source_;
  IncludeScan scan_;
  std::vector<const UnitCommand*> units_;
  std::vector<IncludedHeaders> includes_;  // by unit
  std::vector<Header> headers_;
  std::vector<size_t> header_of_;  // by unit; headers_.size(): none
};

}  // namespace heddle::program
