// Program: the facts of all units of a build, put together.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "program/facts.h"
#include "program/known_units.h"
#include "program/statement_lookup.h"
#include "support/error.h"

namespace heddle::program {

// A function of the program: the definition that its callers mean.
using FunctionIndex = uint32_t;

struct NodeId {
  FunctionIndex function = kNone;
  uint32_t node = kNone;

  auto operator<=>(const NodeId&) const = default;
};

class Program {
 public:
  explicit Program(std::vector<Unit> units);
  // Versions of a program share the units that are the same in both.
  explicit Program(std::vector<std::shared_ptr<const Unit>> units);

  auto units() const {
    return std::views::transform(
        std::views::all(units_),
        [](const std::shared_ptr<const Unit>& unit) -> const Unit& { return *unit; });
  }
  size_t size() const { return functions_.size(); }
  const Function& function(FunctionIndex index) const;
  const Unit& unit_of(FunctionIndex index) const;
  // The definition of a symbol of a unit; kNone if the program has none.
  FunctionIndex definition(const Unit& unit, uint32_t symbol) const;
  FunctionIndex definition(FunctionIndex in, uint32_t symbol) const;
  // The name that the linker knows; empty if it has none.
  const std::string& linkage_name(FunctionIndex index) const;
  // All whose qualified name is `name`, or ends in "::name".
  std::vector<FunctionIndex> find(const std::string& name) const;
  // The innermost node at a place of the source, in each function that has it. Column 0: the first that
  // begins on the line, or else the innermost that reaches over it.
  std::vector<NodeId> nodes_at(const std::string& file, uint32_t line, uint32_t column) const;

  // A global variable or function, whichever unit speaks of it. Inline functions and templates that several
  // units define are one.
  uint32_t global_symbol(const Unit& unit, uint32_t symbol) const;
  // Of a symbol of the unit that the function is in: for those who ask often.
  uint32_t global_symbol(FunctionIndex in, uint32_t symbol) const;
  const std::vector<uint32_t>& global_symbols(const Unit& unit) const;  // by symbol of the unit
  size_t global_count() const;                                          // all are below

  // A class with its fields. A unit that constructs no object of it may know no more than its name: then
  // another unit tells.
  struct ClassType {
    const Unit* unit;
    const Type* type;
  };
  ClassType complete_type(const Unit& unit, uint32_t type) const;

 private:
  struct Place {
    const Unit* unit;
    const Function* function;
    size_t unit_number;
  };
  size_t number_of(const Unit& unit) const;
  FunctionIndex definition_in(size_t unit_number, uint32_t symbol) const;

  std::vector<std::shared_ptr<const Unit>> units_;
  std::vector<Place> functions_;
  struct Index;
  struct Finders;
  std::shared_ptr<const Index> index_;
  std::shared_ptr<Finders> finders_;
};

struct LoadOptions {
  std::filesystem::path compile_commands;
  std::filesystem::path source;  // root of the project: names of files are relative to it
  std::filesystem::path cache;   // folder for the facts of units
  std::string clang = "clang-19";
  ParseSource parse = parse_source;  // gives nodes their statements; without, every line is a node
  unsigned jobs = 0;                 // 0: as many as there are cores
  unsigned together = 40;            // units that are compiled as one, at most; 1: each alone
  std::function<void(const std::string&)> progress;
  std::shared_ptr<KnownUnits> known;  // those of other versions, if any; gets those of this one
};

struct LoadReport {
  size_t units = 0;
  size_t from_cache = 0;
  size_t compilations = 0;  // runs of the compiler for the others, headers not counted
  size_t functions = 0;
  size_t functions_degraded = 0;
  uint64_t content = 0;                     // tells programs apart: a hash of all facts
  std::vector<std::string> degraded_units;  // "src/x.cpp: error: …"
};

// Compiles what is not in the cache. A unit that does not compile is degraded, not an error.
Expected<Program> load_program(const LoadOptions& options, LoadReport* report = nullptr);

}  // namespace heddle::program
