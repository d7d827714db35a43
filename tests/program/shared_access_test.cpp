// Escape analysis held against what happens: every program of tests/programs is executed once, and whatever
// several threads were seen to share must be in the static answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "execute/fork_server.h"
#include "program/analyses.h"
#include "symbolize/trace_symbols.h"

namespace heddle::program {
namespace {

namespace fs = std::filesystem;

// Their threads use variables that are gone: undefined, and no analysis of variables could foretell whose
// memory that is by then.
const std::set<std::string> kUsesWhatIsGone{"ordering/only_freed.cpp", "threads/dangling_stack.cpp"};

// An access: where, and through which calls.
struct Access {
  uint32_t site;
  uint32_t context;
  auto operator<=>(const Access&) const = default;
};

bool writes(const trace::EventRecord& event) {
  switch (event.kind) {
    case trace::EventKind::kWrite:
    case trace::EventKind::kAtomicWrite:
    case trace::EventKind::kAtomicUpdate:
      return true;
    default:
      return false;
  }
}

bool is_memory_access(trace::EventKind kind) {
  return kind == trace::EventKind::kRead || kind == trace::EventKind::kWrite ||
         kind == trace::EventKind::kAtomicRead || kind == trace::EventKind::kAtomicWrite ||
         kind == trace::EventKind::kAtomicUpdate;
}

// What happened to one byte.
struct Byte {
  std::map<Access, std::set<uint32_t>> accesses;  // by which threads
  std::set<uint32_t> threads;
  bool is_written = false;
  uint32_t writer = kNone;  // the last, and where
  Access written_at{};
};

// Accesses to bytes that at least two threads touched, one of them writing. The bytes of a stack belong to
// one variable after the other: there it counts who reads what another thread has written.
std::set<Access> shared_accesses(const trace::Trace& trace) {
  std::map<std::pair<uint32_t, uint64_t>, Byte> bytes;
  std::set<Access> found;
  for (const trace::EventRecord& event : trace.events()) {
    if (!is_memory_access(event.kind) || event.object >= trace.objects().size()) continue;
    const trace::ObjectKind kind = trace.objects()[event.object].kind;
    const bool is_stack = kind == trace::ObjectKind::kStack;
    if (!is_stack && kind != trace::ObjectKind::kGlobal && kind != trace::ObjectKind::kHeap) continue;
    for (uint64_t i = 0; i < std::min<uint64_t>(event.size, 4096); ++i) {
      Byte& byte = bytes[{event.object, event.offset + i}];
      const Access access{event.site, event.context};
      const bool reads =
          event.kind != trace::EventKind::kWrite && event.kind != trace::EventKind::kAtomicWrite;
      if (is_stack && reads && byte.writer != kNone && byte.writer != event.thread) {
        found.insert(access);
        found.insert(byte.written_at);
      }
      if (!is_stack) byte.accesses[access].insert(event.thread);
      byte.threads.insert(event.thread);
      if (writes(event)) {
        byte.is_written = true;
        byte.writer = event.thread;
        byte.written_at = access;
      }
    }
  }
  for (const auto& [place, byte] : bytes) {
    if (!byte.is_written || byte.threads.size() < 2) continue;
    for (const auto& [access, threads] : byte.accesses) found.insert(access);
  }
  return found;
}

// What the analysis says of a program, by lines.
class StaticAnswer {
 public:
  explicit StaticAnswer(const Program& program)
      : program_(program), points_to_(program), escape_(program, points_to_) {
    // All of a line: compilers that optimise are not to be trusted with columns.
    for (FunctionIndex f = 0; f < program.size(); ++f) {
      const std::vector<Node>& nodes = program.function(f).nodes;
      for (uint32_t n = 0; n < nodes.size(); ++n)
        for (uint32_t line = nodes[n].range.first_line; line <= nodes[n].range.last_line; ++line)
          if (!nodes[n].file.starts_with('/')) by_line_[{nodes[n].file, line}].push_back({f, n});
    }
    std::vector<FunctionIndex> open;
    auto reach = [&](FunctionIndex function) {
      if (reaching_.insert(function).second) open.push_back(function);
    };
    for (const OpId& op : escape_.shared_accesses()) {
      reach(op.function);
      if (const uint32_t node = op_at(op).node; node != kNone) nodes_.insert({op.function, node});
    }
    while (!open.empty()) {
      const FunctionIndex function = open.back();
      open.pop_back();
      for (const OpId& call : points_to_.callers(function)) {
        reach(call.function);
        if (const uint32_t node = op_at(call).node; node != kNone) calling_.insert({call.function, node});
      }
    }
  }

  // Whether a statement of the line accesses shared memory, itself or, if `through_calls`, by what it calls.
  bool has_access(const std::string& file, uint32_t line, bool through_calls) const {
    const auto here = by_line_.find({file, line});
    if (here == by_line_.end()) return false;
    for (const NodeId& node : here->second)
      if (nodes_.contains(node) || (through_calls && calling_.contains(node))) return true;
    return false;
  }
  bool knows(const std::string& file, uint32_t line) const { return by_line_.contains({file, line}); }
  // For code that has no statement: entries and ends of functions, destructors.
  bool function_has_access(const std::string& name) const {
    for (FunctionIndex function : program_.find(name))
      if (reaching_.contains(function)) return true;
    return false;
  }
  size_t accesses() const { return escape_.shared_accesses().size(); }

 private:
  const Op& op_at(const OpId& id) const { return program_.function(id.function).blocks[id.block].ops[id.op]; }

  const Program& program_;
  PointsTo points_to_;
  Escape escape_;
  std::map<std::pair<std::string, uint32_t>, std::vector<NodeId>> by_line_;
  std::set<NodeId> nodes_;
  std::set<NodeId> calling_;
  std::set<FunctionIndex> reaching_;  // shared memory
};

struct Counts {
  size_t programs = 0;
  size_t executed = 0;
  size_t accesses = 0;
  size_t by_line = 0;
  size_t by_call = 0;
  size_t by_function = 0;
  size_t misses = 0;
};

// "atomics/flag.cpp" of a path below the folder of the programs, wherever that was when they were built.
std::string own_name(const std::string& path) {
  constexpr std::string_view kFolder = "tests/programs/";
  const size_t at = path.rfind(kFolder);
  return at == std::string::npos ? "" : path.substr(at + kFolder.size());
}

std::string header_word(const fs::path& source, const std::string& key) {
  std::ifstream stream(source);
  for (std::string line; std::getline(stream, line) && line.starts_with("//");)
    if (line.starts_with("// " + key + ": ")) return line.substr(key.size() + 5);
  return "";
}

void check(const StaticAnswer& answer, const trace::Trace& trace, Symbolizer& symbolizer,
           const std::string& name, Counts& counts) {
  const TraceSymbols symbols(trace, symbolizer);
  std::set<std::pair<std::string, uint32_t>> missed;
  for (const Access& access : shared_accesses(trace)) {
    const std::vector<StackFrame> stack = symbols.stack(access.site, access.context);
    const auto own = std::find_if(stack.begin(), stack.end(), [](const StackFrame& frame) {
      return !own_name(frame.frame.file).empty();
    });
    if (own == stack.end()) continue;  // of the libraries alone
    ++counts.accesses;
    const std::string file = own_name(own->frame.file);
    const uint32_t line = own->frame.line;
    if (own == stack.begin() && answer.has_access(file, line, false)) {
      ++counts.by_line;
    } else if (answer.has_access(file, line, true) && own != stack.begin()) {
      ++counts.by_call;
    } else if (!answer.knows(file, line) && answer.function_has_access(own->frame.function)) {
      ++counts.by_function;
    } else if (missed.insert({file, line}).second) {
      ++counts.misses;
      ADD_FAILURE() << name << ": " << file << ":" << line << " in " << own->frame.function
                    << (own == stack.begin() ? "" : ", through " + stack.front().frame.function);
    }
  }
}

// One compile_commands.json for all: units with the same flags share what is precompiled.
fs::path write_commands(const fs::path& sources, const std::vector<std::string>& names,
                        const fs::path& folder) {
  fs::create_directories(folder);
  std::ofstream commands(folder / "compile_commands.json");
  commands << "[";
  std::string separator;
  for (const std::string& name : names) {
    const std::string compiler = name.ends_with(".c") ? "cc -std=gnu17" : "c++ -std=c++20";
    std::vector<std::string> kinds{""};
    if (!header_word(sources / name, "library").empty()) kinds.push_back("-DLIBRARY");
    for (const std::string& kind : kinds) {
      commands << fmt::format(
          R"({}{{"directory": "{}", "file": "{}", "command": "{} -O1 -g -pthread {} {} -c {}"}})", separator,
          sources.string(), name, compiler, kind, header_word(sources / name, "flags"), name);
      separator = ",\n";
    }
  }
  commands << "]";
  return folder / "compile_commands.json";
}

TEST(SharedAccess, WhateverThreadsShareIsForetold) {
  const fs::path sources = fs::canonical(HEDDLE_PROGRAM_SOURCES);
  const char* other = std::getenv("HEDDLE_PROGRAM_BINARIES");
  const fs::path binaries = other != nullptr ? other : HEDDLE_PROGRAM_BUILD;
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(sources)) {
    const std::string name = fs::relative(entry.path(), sources).string();
    const bool is_source = name.ends_with(".c") || name.ends_with(".cpp");
    const char* only = std::getenv("HEDDLE_ORACLE_ONLY");
    if (only != nullptr && name.find(only) == std::string::npos) continue;
    if (is_source && name.find('/') != std::string::npos) names.push_back(name);
  }
  std::sort(names.begin(), names.end());

  const char* parent = std::getenv("TEST_TMPDIR");
  const fs::path folder =
      fs::path(parent != nullptr ? parent : fs::temp_directory_path().c_str()) / "shared_access";
  LoadOptions options;
  options.compile_commands = write_commands(sources, names, folder);
  options.source = sources;
  options.cache = folder / "facts";
  LoadReport report;
  {  // Together they are compiled in less time; each is then read from the cache as a program of its own.
    const Expected<Program> all = load_program(options, &report);
    ASSERT_TRUE(all.has_value()) << all.error().message;
    EXPECT_TRUE(report.degraded_units.empty()) << report.degraded_units.front();
  }

  Counts counts;
  for (const std::string& name : names) {
    if (kUsesWhatIsGone.contains(name)) continue;
    ++counts.programs;
    options.compile_commands = write_commands(sources, {name}, folder / "one");
    const Expected<Program> program = load_program(options, &report);
    ASSERT_TRUE(program.has_value()) << program.error().message;
    EXPECT_EQ(report.from_cache, report.units) << name;
    const fs::path binary = (binaries / "clang" / name).replace_extension();
    ASSERT_TRUE(fs::exists(binary)) << binary;
    TestCommand command{.argv = {binary.string()}};
    if (const std::string preload = header_word(sources / name, "preload"); !preload.empty())
      command.environment.emplace_back("LD_PRELOAD", preload);
    Expected<ForkServer> server = ForkServer::start(std::move(command));
    ASSERT_TRUE(server.has_value()) << name << ": " << server.error().message;
    ExecutionRequest request;
    request.policy = {.kind = trace::PolicyKind::kRandom, .seed = 1};
    request.flags = trace::request_flag::kRecordEvents | trace::request_flag::kRecordAll;
    request.max_steps = 50'000;
    const Expected<Execution> execution = server->run(request);
    ASSERT_TRUE(execution.has_value()) << name << ": " << execution.error().message;
    counts.executed += !execution->trace.events().empty();
    const StaticAnswer answer(*program);
    const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
    check(answer, execution->trace, *symbolizer, name, counts);
  }
  std::printf(
      "%zu programs, %zu executed; %zu shared accesses seen: %zu foretold by line, %zu through calls into "
      "libraries, %zu by function, %zu lines missed\n",
      counts.programs, counts.executed, counts.accesses, counts.by_line, counts.by_call, counts.by_function,
      counts.misses);
  EXPECT_EQ(counts.misses, 0u);
  EXPECT_GT(counts.accesses, counts.programs) << "the programs share something";
}

}  // namespace
}  // namespace heddle::program
