// Static answers held against executions of generated C programs. Each is compiled natively, too: what the
// machine computes must be what C means. HEDDLE_ORACLE_PROGRAMS says how many, HEDDLE_ORACLE_AFTER how many
// to leave out before.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "bitcode_machine.h"
#include "c_programs.h"
#include "program/analyses.h"
#include "small_project.h"

namespace heddle::program {
namespace {

constexpr uint32_t kDefaultPrograms = 200;
constexpr uint32_t kPerUnit = 50;  // compilers take longer to begin than to compile one

uint32_t program_count() {
  const char* wanted = std::getenv("HEDDLE_ORACLE_PROGRAMS");
  const uint32_t count = wanted == nullptr ? kDefaultPrograms : static_cast<uint32_t>(std::atoi(wanted));
  return std::max(count, kPerUnit) / kPerUnit * kPerUnit;
}

uint32_t left_out() {
  const char* wanted = std::getenv("HEDDLE_ORACLE_AFTER");
  return wanted == nullptr ? 0 : static_cast<uint32_t>(std::atoi(wanted));
}

std::string prefix_of(uint32_t seed) {
  return "p" + std::to_string(seed) + "_";
}

std::string unit_name(uint32_t first) {
  return "unit" + std::to_string(first) + ".c";
}

class COracle : public testing::Test {
 protected:
  void SetUp() override {
    const std::string headers = "#include <stddef.h>\n#include <stdlib.h>\n#include <string.h>\n";
    std::string main = "#include <stdio.h>\n";
    for (uint32_t seed = 1; seed <= program_count(); ++seed) {
      if (seed % kPerUnit == 1) texts_.emplace_back(headers);
      texts_.back() += random_c_program(seed + left_out(), prefix_of(seed));
      main += "unsigned " + prefix_of(seed) + "main(void);\n";
    }
    main += "int main(void) {\n";
    for (uint32_t seed = 1; seed <= program_count(); ++seed)
      main += "  printf(\"%u\\n\", " + prefix_of(seed) + "main());\n";
    project_.write("main.c", main + "}\n");
    for (uint32_t u = 0; u < texts_.size(); ++u)
      project_.add_unit(unit_name(u * kPerUnit + 1), texts_[u], "-std=gnu11");
  }

  bool run(const std::string& command) const {
    return std::system(("cd " + project_.root().string() + " && " + command).c_str()) == 0;
  }

  std::vector<uint64_t> native_results() const {
    std::vector<uint64_t> results;
    if (!run("cc -std=gnu11 -w -O0 -fno-strict-aliasing -o native main.c unit*.c")) return results;
    FILE* output = popen((project_.root() / "native").c_str(), "r");
    unsigned long number = 0;
    while (output != nullptr && std::fscanf(output, "%lu", &number) == 1) results.push_back(number);
    if (output != nullptr) pclose(output);
    return results;
  }

  SmallProject project_;
  std::vector<std::string> texts_;
};

// Joins places of the bitcode with nodes of the program, as the extraction does: by the text.
class Places {
 public:
  Places(const Program& program, const std::filesystem::path& root, std::string file)
      : program_(program), statements_(text_statements(root, parse_source)), file_(std::move(file)) {
    for (FunctionIndex f = 0; f < program.size(); ++f) functions_[program.function(f).name] = f;
  }

  NodeId at(const std::string& function, uint32_t line, uint32_t column) const {
    const auto found = functions_.find(function);
    if (found == functions_.end()) return {};
    const SourceStatement* statement = statements_->find(file_, line, column);
    const std::vector<Node>& nodes = program_.function(found->second).nodes;
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      const bool is_it = statement != nullptr ? nodes[n].range == statement->range
                                              : nodes[n].text.empty() && nodes[n].range.first_line == line;
      if (is_it) return {found->second, n};
    }
    return {};
  }

 private:
  const Program& program_;
  std::unique_ptr<StatementLookup> statements_;
  std::string file_;
  std::map<std::string, FunctionIndex> functions_;
};

class Check {
 public:
  explicit Check(const Program& program)
      : program_(program), points_to_(program), dependence_(program, points_to_) {}

  void seen(const BitcodeMachine::Dependences& seen, uint32_t seed) {
    seed_ = seed;
    every(seen.data, Dependence::Kind::kData, "data");
    every(seen.control, Dependence::Kind::kControl, "control");
    every(seen.calls, Dependence::Kind::kCall, "call");
    slices(seen);
  }

  size_t dependences = 0;
  size_t misses = 0;
  size_t in_static_slices = 0;
  size_t in_dynamic_slices = 0;
  size_t in_programs = 0;

 private:
  void every(const std::set<BitcodeMachine::Seen>& all, Dependence::Kind kind, const char* name) {
    dependences += all.size();
    for (const auto& [node, on] : all) {
      const auto [known, is_new] = known_.try_emplace(node);
      if (is_new)
        for (const Dependence::On& it : dependence_.depends_on(node))
          known->second.insert({it.node, it.kind});
      if (known->second.contains({on, kind})) continue;
      if (++misses <= 10)
        ADD_FAILURE() << "program " << seed_ << ", " << name << ":\n  " << text(node) << "\n  depends on\n  "
                      << text(on);
    }
  }

  // Both ways, from a statement that much depends on.
  void slices(const BitcodeMachine::Dependences& seen) {
    std::map<NodeId, std::vector<NodeId>> on;
    std::map<NodeId, std::vector<NodeId>> by;
    for (const auto* all : {&seen.data, &seen.control, &seen.calls})
      for (const auto& [node, other] : *all) on[node].push_back(other), by[other].push_back(node);
    if (on.empty()) return;
    const NodeId from = std::next(on.begin(), seed_ % static_cast<uint32_t>(on.size()))->first;
    in_programs += on.size();
    compare(dependence_.backward_slice({from}), reach(on, from), from, "backward");
    compare(dependence_.forward_slice({from}), reach(by, from), from, "forward");
  }

  void compare(const std::set<NodeId>& foretold, const std::set<NodeId>& reached, NodeId from,
               const char* name) {
    in_static_slices += foretold.size();
    in_dynamic_slices += reached.size();
    for (const NodeId& node : reached) {
      if (foretold.contains(node)) continue;
      ++misses;
      ADD_FAILURE() << "program " << seed_ << ", " << name << " slice of " << text(from) << " lacks "
                    << text(node);
      return;
    }
  }

  static std::set<NodeId> reach(const std::map<NodeId, std::vector<NodeId>>& edges, NodeId from) {
    std::set<NodeId> reached{from};
    std::vector<NodeId> open{from};
    while (!open.empty()) {
      const NodeId at = open.back();
      open.pop_back();
      if (auto next = edges.find(at); next != edges.end())
        for (const NodeId& to : next->second)
          if (reached.insert(to).second) open.push_back(to);
    }
    return reached;
  }

  std::string text(NodeId id) const {
    const Function& function = program_.function(id.function);
    const Node& node = function.nodes[id.node];
    return fmt::format("{} line {}: {}", function.name, node.range.first_line, node.text);
  }

  const Program& program_;
  PointsTo points_to_;
  Dependence dependence_;
  uint32_t seed_ = 0;
  std::map<NodeId, std::set<std::pair<NodeId, Dependence::Kind>>> known_;
};

TEST_F(COracle, EveryDependenceSeenIsForetoldAndEveryProgramComputesWhatCDoes) {
  LoadReport report;
  const Expected<Program> loaded = project_.load(&report);
  ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
  ASSERT_TRUE(report.degraded_units.empty()) << report.degraded_units.front();
  const std::vector<uint64_t> native = native_results();
  ASSERT_EQ(native.size(), program_count());

  size_t dependences = 0;
  size_t misses = 0;
  size_t too_long = 0;
  size_t statements = 0;
  size_t in_static = 0;
  size_t in_dynamic = 0;
  for (uint32_t first = 1; first <= program_count(); first += kPerUnit) {
    const std::string file = unit_name(first);
    const auto units = loaded->units();
    const auto unit =
        std::find_if(units.begin(), units.end(), [&](const Unit& one) { return one.file == file; });
    ASSERT_NE(unit, units.end());
    const Program program({*unit});
    const Places places(program, project_.root(), file);
    ASSERT_TRUE(run("clang-19 -std=gnu11 -w -O0 -g -emit-llvm -c -o unit.bc " + file));
    BitcodeMachine machine(project_.root() / "unit.bc",
                           [&](const std::string& function, uint32_t line, uint32_t column) {
                             return places.at(function, line, column);
                           });
    Check check(program);
    for (uint32_t seed = first; seed < first + kPerUnit; ++seed) {
      try {
        const uint64_t result = machine.run(prefix_of(seed) + "main");
        EXPECT_EQ(result, native[seed - 1]) << "program " << seed;
      } catch (const std::runtime_error& error) {
        if (std::string(error.what()) != "too many steps")
          FAIL() << "program " << seed << ": " << error.what();
        ++too_long;
      }
      check.seen(machine.seen(), seed);  // also of what was cut short
    }
    dependences += check.dependences;
    misses += check.misses;
    statements += check.in_programs;
    in_static += check.in_static_slices;
    in_dynamic += check.in_dynamic_slices;
  }
  std::printf(
      "%u programs (%zu cut short), %zu statements executed, %zu dependences seen, %zu not foretold; "
      "slices: %zu statements seen, %zu foretold\n",
      program_count(), too_long, statements, dependences, misses, in_dynamic, in_static);
  EXPECT_EQ(misses, 0u);
  EXPECT_LT(in_static, in_dynamic * 10) << "not simply everything";
  EXPECT_LT(too_long, program_count() / 20);
  EXPECT_GT(dependences, program_count() * 100u) << "the programs do something";
}

}  // namespace
}  // namespace heddle::program
