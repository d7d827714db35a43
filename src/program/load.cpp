// From compile_commands.json to a program. The main loop is load_program: look for each unit in the cache,
// compile what is missing on all cores, put the units together.
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>
#include <unordered_set>

#include <fmt/format.h>

#include "program/compile_unit.h"
#include "program/extract.h"
#include "program/facts_file.h"
#include "program/precompiled.h"
#include "program/program.h"
#include "program/statement_lookup.h"
#include "program/unit_cache.h"

namespace heddle::program {
namespace {

class TemporaryFolder {
 public:
  static Expected<TemporaryFolder> make(const std::filesystem::path& parent) {
    std::error_code error;
    std::filesystem::path where = parent;
    if (!where.empty()) std::filesystem::create_directories(where, error);
    if (where.empty() || error) where = std::filesystem::temp_directory_path(error);
    std::string name = (where / "heddle-units-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      return usage_error(fmt::format("cannot make a folder for compiled units in {}", where.string()));
    return TemporaryFolder(name);
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// Runs body(0) … body(count-1) on several threads.
template <typename Body>
void in_parallel(unsigned jobs, size_t count, Body body) {
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) body(i);
  };
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < jobs && i < count; ++i) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What tells compilers apart, without running one.
std::string compiler_identity(const std::string& name) {
  std::filesystem::path path = name;
  std::error_code error;
  if (name.find('/') == std::string::npos) {
    const char* folders = std::getenv("PATH");
    std::string_view rest = folders == nullptr ? "" : folders;
    while (!rest.empty()) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
      const std::filesystem::path candidate = std::filesystem::path(folder) / name;
      if (!std::filesystem::exists(candidate, error)) continue;
      path = candidate;
      break;
    }
  }
  path = std::filesystem::canonical(path, error);
  const auto size = std::filesystem::file_size(path, error);
  const auto time = std::filesystem::last_write_time(path, error).time_since_epoch().count();
  return fmt::format("{} {} {}", name, size, time);
}

class Loader {
 public:
  Loader(const LoadOptions& options, std::vector<UnitCommand> units, const std::filesystem::path& temporary,
         StatementLookup* statements)
      : options_(options),
        units_(std::move(units)),
        facts_(units_.size()),
        temporary_(temporary),
        statements_(statements),
        cache_(options.cache, options.source,
               compiler_identity(options.clang) + (options.parse ? " statements" : " lines")),
        jobs_(options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency())) {}

  Expected<std::vector<Unit>> run(LoadReport& report) {
    report.units = units_.size();
    in_parallel(jobs_, units_.size(), [&](size_t i) {
      if (std::optional<std::string> known = cache_.find(units_[i])) facts_[i] = std::move(*known);
    });
    std::vector<size_t> missing;
    for (size_t i = 0; i < units_.size(); ++i)
      if (facts_[i].empty()) missing.push_back(i);
    report.from_cache = units_.size() - missing.size();
    compile(missing);
    if (failure_) return tl::unexpected(*failure_);
    return put_together(report);
  }

 private:
  void compile(const std::vector<size_t>& missing) {
    if (missing.empty()) return;
    std::vector<const UnitCommand*> commands;
    for (size_t i : missing) commands.push_back(&units_[i]);
    PrecompiledHeaders headers(options_.clang, temporary_, options_.source, commands);
    if (headers.size() > 0) say(fmt::format("compiling what units include in common ({})", headers.size()));
    in_parallel(jobs_, headers.size(), [&](size_t i) { headers.build(i); });
    headers.assign();
    std::atomic<size_t> done{0};
    in_parallel(jobs_, missing.size(), [&](size_t i) {
      compile_unit(missing[i], headers.arguments_for(i),
                   [&](const std::filesystem::path& file) { return headers.is_foreign(i, file); });
      say(fmt::format("compiled {} of {} units", ++done, missing.size()));
    });
  }

  template <typename IsForeign>
  void compile_unit(size_t index, const std::vector<std::string>& shared_headers, IsForeign is_foreign) {
    const UnitCommand& unit = units_[index];
    Expected<Unit> made = unit.language == UnitLanguage::kOther ? degraded(unit, "it is neither C nor C++")
                                                                : compile_and_extract(index, shared_headers);
    if (!made) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = made.error();
      return;
    }
    facts_[index] = encode_facts(*made);
    // A unit that does not compile is tried again next time: what it lacked may have come.
    if (!made->degraded.empty()) return;
    if (Expected<void> stored =
            cache_.store(unit, dependencies_of(index, is_foreign), started_, facts_[index]);
        !stored)
      say(stored.error().message);
  }

  std::string stem(size_t index) const { return (temporary_ / fmt::format("unit{}", index)).string(); }

  Expected<Unit> compile_and_extract(size_t index, const std::vector<std::string>& shared_headers) {
    const UnitCommand& unit = units_[index];
    Expected<RunResult> result = run_clang(index, shared_headers);
    if (result && result->exit_code != 0 && !shared_headers.empty()) result = run_clang(index, {});
    if (!result) {
      // A folder that is gone is this unit's trouble; without a compiler there is nothing to be done.
      std::error_code error;
      if (!std::filesystem::is_directory(unit.directory, error))
        return degraded(unit, result.error().message);
      return tl::unexpected(result.error());
    }
    if (result->exit_code != 0) return degraded(unit, first_error(result->errors));
    Expected<Unit> made = extract_unit(stem(index) + ".bc", name_of(unit), {options_.source, statements_});
    std::error_code error;
    std::filesystem::remove(stem(index) + ".bc", error);
    if (!made) return degraded(unit, made.error().message);
    return made;
  }

  Expected<RunResult> run_clang(size_t index, const std::vector<std::string>& shared_headers) const {
    const UnitCommand& unit = units_[index];
    std::vector<std::string> extra = shared_headers;
    extra.insert(extra.end(), {"-emit-llvm", "-c", unit.file.string(), "-o", stem(index) + ".bc", "-MD",
                               "-MF", stem(index) + ".d"});
    std::vector<std::string> command = {options_.clang};
    for (std::string& word : clang_arguments(unit, extra)) command.push_back(std::move(word));
    return run_command(command, unit.directory, stem(index) + ".log");
  }

  template <typename IsForeign>
  std::vector<std::string> dependencies_of(size_t index, IsForeign is_foreign) const {
    std::vector<std::string> files;
    for (std::string& file : read_dependencies(read_text(stem(index) + ".d")))
      if (!file.starts_with(temporary_.string()) && !is_foreign(units_[index].directory / file))
        files.push_back(std::move(file));
    return files;
  }

  std::string name_of(const UnitCommand& unit) const {
    const std::filesystem::path relative = unit.file.lexically_relative(options_.source.lexically_normal());
    const bool is_inside = !relative.empty() && *relative.begin() != "..";
    return is_inside ? relative.string() : unit.file.string();
  }

  // What the text alone tells: functions by name and statement.
  Unit degraded(const UnitCommand& command, const std::string& why) const {
    Unit unit;
    unit.file = name_of(command);
    unit.degraded = why;
    for (const SourceFunction& source : statements_->functions(unit.file)) {
      Function function;
      function.name = source.name;
      function.file = unit.file;
      function.line = source.range.first_line;
      function.degraded = why;
      for (const SourceStatement& statement : source.statements)
        function.nodes.push_back({unit.file, statement.range, statement.text, statement.normal});
      unit.functions.push_back(std::move(function));
    }
    return unit;
  }

  // In the order of the commands, so that the same units give the same program.
  Expected<std::vector<Unit>> put_together(LoadReport& report) {
    std::unordered_set<std::string> known;
    const WantsFunction wants = [&](const Symbol& symbol) {
      return !symbol.is_merged || known.insert(symbol.linkage_name).second;
    };
    std::vector<Unit> units;
    for (size_t i = 0; i < units_.size(); ++i) {
      Expected<Unit> unit = decode_facts(facts_[i], wants);
      if (!unit) {  // of the cache: what it says is lost, but not what it was made from
        compile_unit(i, {}, [](const std::filesystem::path&) { return false; });
        if (failure_) return tl::unexpected(*failure_);
        unit = decode_facts(facts_[i], wants);
        if (!unit) return tl::unexpected(unit.error());
      }
      facts_[i] = {};
      if (!unit->degraded.empty()) report.degraded_units.push_back(unit->file + ": " + unit->degraded);
      for (const Function& function : unit->functions) {
        ++report.functions;
        if (!function.degraded.empty()) ++report.functions_degraded;
      }
      units.push_back(std::move(*unit));
    }
    return units;
  }

  void say(const std::string& text) {
    if (!options_.progress) return;
    std::lock_guard lock(mutex_);
    options_.progress(text);
  }

  const LoadOptions& options_;
  std::vector<UnitCommand> units_;
  std::vector<std::string> facts_;  // encoded; empty: not known yet
  std::filesystem::path temporary_;
  StatementLookup* statements_;
  UnitCache cache_;
  unsigned jobs_;
  std::chrono::system_clock::time_point started_ = std::chrono::system_clock::now();
  std::mutex mutex_;
  std::optional<Error> failure_;
};

}  // namespace

Expected<Program> load_program(const LoadOptions& given, LoadReport* report) {
  LoadOptions options = given;
  std::error_code error;
  options.source = std::filesystem::weakly_canonical(given.source, error);
  if (!given.cache.empty()) options.cache = std::filesystem::absolute(given.cache, error);
  Expected<std::vector<CompileCommand>> commands = read_compile_commands(options.compile_commands);
  if (!commands) return tl::unexpected(commands.error());
  std::vector<UnitCommand> units;
  std::unordered_set<std::string> seen;
  for (const CompileCommand& command : *commands) {
    UnitCommand unit = translate_command(command);
    // A file that is compiled twice in the same way (a library in two forms) is one unit.
    std::string identity = unit.file.string() + "\n" + unit.directory.string();
    for (const std::string& flag : unit.flags) identity += "\n" + flag;
    if (seen.insert(identity).second) units.push_back(std::move(unit));
  }
  Expected<TemporaryFolder> temporary = TemporaryFolder::make(options.cache);
  if (!temporary) return tl::unexpected(temporary.error());
  const std::unique_ptr<StatementLookup> statements = text_statements(options.source, options.parse);

  LoadReport ignored;
  Loader loader(options, std::move(units), temporary->path(), statements.get());
  Expected<std::vector<Unit>> made = loader.run(report != nullptr ? *report : ignored);
  if (!made) return tl::unexpected(made.error());
  return Program(std::move(*made));
}

}  // namespace heddle::program
