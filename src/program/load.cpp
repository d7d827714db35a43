// From compile_commands.json to a program. The main loop is Loader::run: look for each unit in the cache,
// compile what is missing on all cores, put the units together.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <thread>
#include <unordered_set>

#include <fmt/format.h>

#include "program/compile_unit.h"
#include "program/extract.h"
#include "program/facts_file.h"
#include "program/precompiled.h"
#include "program/program.h"
#include "program/read_text.h"
#include "program/split_unit.h"
#include "program/statement_lookup.h"
#include "program/temporary_folder.h"
#include "program/unit_batches.h"
#include "program/unit_cache.h"
#include "trace/hash.h"

namespace heddle::program {
namespace {

// Units that are taken out of a batch one by one: each costs a part of what the batch does.
constexpr size_t kMaxTakenOut = 4;

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
        cache_({options.cache, options.source, options.compile_commands.parent_path()},
               compiler_identity(options.clang) + (options.parse ? " statements" : " lines")),
        jobs_(options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency())) {}

  Expected<std::vector<std::shared_ptr<const Unit>>> run(LoadReport& report) {
    report.units = units_.size();
    in_parallel(jobs_, units_.size(), [&](size_t i) {
      if (std::optional<std::string> known = cache_.find(units_[i])) facts_[i] = std::move(*known);
    });
    std::vector<size_t> missing;
    for (size_t i = 0; i < units_.size(); ++i)
      if (facts_[i].empty()) missing.push_back(i);
    report.from_cache = units_.size() - missing.size();
    compile(missing);
    report.compilations = compilations_;
    if (!missing.empty()) cache_.tidy(started_);
    if (failure_) return tl::unexpected(*failure_);
    return put_together(report);
  }

 private:
  // Units that are compiled as one, or a single one.
  struct Job {
    std::vector<size_t> members;  // in `missing`
    UnitCommand command;
    std::string stem;  // of the files that the compiler writes
  };

  void compile(const std::vector<size_t>& missing) {
    if (missing.empty()) return;
    std::vector<BatchUnit> candidates;
    for (size_t i : missing)
      candidates.push_back({&units_[i], options_.parse ? &statements_->text(name_of(units_[i])) : nullptr});
    const size_t largest = std::min<size_t>(options_.together, (missing.size() + jobs_ - 1) / jobs_);
    const UnitBatches batches(options_.source, candidates, std::max<size_t>(largest, 1));
    std::vector<Job> jobs;
    for (const std::vector<size_t>& members : batches.batches())
      jobs.push_back(make_job(batches, missing, members));

    std::vector<const UnitCommand*> commands;
    for (const Job& job : jobs) commands.push_back(&job.command);
    PrecompiledHeaders headers(options_.clang, temporary_, options_.source, commands);
    if (headers.size() > 0) say(fmt::format("compiling what units include in common ({})", headers.size()));
    in_parallel(jobs_, headers.size(), [&](size_t i) { headers.build(i); });
    headers.assign();
    std::atomic<size_t> done{0};
    in_parallel(jobs_, jobs.size(), [&](size_t i) {
      const Compiled compiled{missing, batches, headers, i};
      if (jobs[i].members.size() == 1)
        compile_unit(jobs[i], compiled);
      else
        compile_batch(jobs[i], compiled);
      done += jobs[i].members.size();
      say(fmt::format("compiled {} of {} units", done.load(), missing.size()));
    });
  }

  Job make_job(const UnitBatches& batches, const std::vector<size_t>& missing,
               const std::vector<size_t>& members) const {
    const size_t first = missing[members.front()];
    if (members.size() == 1)
      return {members, units_[first], (temporary_ / fmt::format("unit{}", first)).string()};
    Job job{members, units_[first], (temporary_ / fmt::format("batch{}", first)).string()};
    job.command.file = job.stem + ".cpp";
    std::ofstream(job.command.file) << batches.text_of(members);
    return job;
  }

  // What jobs look at while they compile.
  struct Compiled {
    const std::vector<size_t>& missing;
    const UnitBatches& batches;
    const PrecompiledHeaders& headers;
    size_t job;

    // Whether the compiler speaks of the file only because others that were compiled with the unit include
    // it.
    bool is_foreign(size_t member, const std::filesystem::path& file) const {
      const std::filesystem::path path = file.lexically_normal();
      return batches.is_reached(path) && !batches.reaches(member, path);
    }
  };

  void compile_unit(const Job& job, const Compiled& compiled) {
    const size_t index = compiled.missing[job.members.front()];
    const UnitCommand& unit = units_[index];
    const std::vector<std::string> shared_headers = compiled.headers.arguments_for(compiled.job);
    Expected<Unit> made = unit.language == UnitLanguage::kOther ? degraded(unit, "it is neither C nor C++")
                                                                : compile_and_extract(job, shared_headers);
    if (!made) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = made.error();
      return;
    }
    keep(index, *made, dependencies_of(job, job.members.front(), compiled));
  }

  // A member that does not go with the others is compiled alone; if it cannot be told which, all are.
  void compile_batch(Job job, const Compiled& compiled) {
    const std::vector<std::string> shared_headers = compiled.headers.arguments_for(compiled.job);
    std::vector<size_t> alone;
    while (job.members.size() > 1) {
      const Expected<RunResult> result = run_clang(job, shared_headers);
      if (result && result->exit_code == 0 && keep_members(job, compiled)) break;
      // The compiler names the member whose text, or what it includes, does not fit.
      const std::string words = result ? up_to_first_error(result->errors) : "";
      const auto culprit = std::ranges::find_if(job.members, [&](size_t member) {
        return words.find(units_[compiled.missing[member]].file.string() + ":") != std::string::npos;
      });
      if (culprit == job.members.end() || alone.size() >= kMaxTakenOut) {
        alone.insert(alone.end(), job.members.begin(), job.members.end());
        job.members.clear();
      } else {
        alone.push_back(*culprit);
        job.members.erase(culprit);
        if (job.members.size() > 1) job = make_job(compiled.batches, compiled.missing, job.members);
      }
    }
    if (job.members.size() == 1) alone.push_back(job.members.front());
    for (size_t member : alone)
      compile_unit(make_job(compiled.batches, compiled.missing, {member}), compiled);
  }

  bool keep_members(const Job& job, const Compiled& compiled) {
    const Expected<Unit> batch = extract(job, kBatchFile);
    if (!batch) return false;
    std::vector<BatchMember> members;
    for (size_t member : job.members)
      members.push_back(
          {name_of(units_[compiled.missing[member]]), [this, member, &compiled](const std::string& file) {
             return compiled.batches.reaches(member, (options_.source / file).lexically_normal());
           }});
    const std::vector<Unit> units = split_unit(*batch, members);
    for (size_t i = 0; i < units.size(); ++i)
      keep(compiled.missing[job.members[i]], units[i], dependencies_of(job, job.members[i], compiled));
    return true;
  }

  void keep(size_t index, const Unit& unit, const std::vector<std::string>& files) {
    facts_[index] = encode_facts(unit);
    // A unit that does not compile is tried again next time: what it lacked may have come.
    if (!unit.degraded.empty()) return;
    if (Expected<void> stored = cache_.store(units_[index], files, started_, facts_[index]); !stored)
      say(stored.error().message);
  }

  Expected<Unit> compile_and_extract(const Job& job, const std::vector<std::string>& shared_headers) {
    Expected<RunResult> result = run_clang(job, shared_headers);
    if (result && result->exit_code != 0 && !shared_headers.empty()) result = run_clang(job, {});
    if (!result) {
      // A folder that is gone is this unit's trouble; without a compiler there is nothing to be done.
      std::error_code error;
      if (!std::filesystem::is_directory(job.command.directory, error))
        return degraded(job.command, result.error().message);
      return tl::unexpected(result.error());
    }
    if (result->exit_code != 0) return degraded(job.command, first_error(result->errors));
    Expected<Unit> made = extract(job, name_of(job.command));
    if (!made) return degraded(job.command, made.error().message);
    return made;
  }

  Expected<Unit> extract(const Job& job, const std::string& name) const {
    Expected<Unit> made = extract_unit(job.stem + ".bc", name, {options_.source, statements_});
    std::error_code error;
    std::filesystem::remove(job.stem + ".bc", error);
    return made;
  }

  Expected<RunResult> run_clang(const Job& job, const std::vector<std::string>& shared_headers) {
    std::vector<std::string> extra = shared_headers;
    extra.insert(extra.end(), {"-emit-llvm", "-c", job.command.file.string(), "-o", job.stem + ".bc", "-MD",
                               "-MF", job.stem + ".d"});
    std::vector<std::string> command = {options_.clang};
    for (std::string& word : clang_arguments(job.command, extra)) command.push_back(std::move(word));
    ++compilations_;
    return run_command(command, job.command.directory, job.stem + ".log");
  }

  std::vector<std::string> dependencies_of(const Job& job, size_t member, const Compiled& compiled) const {
    const bool is_shared = job.members.size() > 1 || !compiled.headers.arguments_for(compiled.job).empty();
    std::vector<std::string> files;
    for (std::string& file : read_dependencies(read_text(job.stem + ".d")))
      if (!file.starts_with(temporary_.string()) &&
          !(is_shared && compiled.is_foreign(member, job.command.directory / file)))
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
    for (const SourceFunction& source : statements_->text(unit.file).functions) {
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
  Expected<std::vector<std::shared_ptr<const Unit>>> put_together(LoadReport& report) {
    std::vector<std::shared_ptr<const Unit>> units;
    report.content = trace::kFnvBasis;
    for (size_t i = 0; i < units_.size(); ++i) {
      Expected<std::shared_ptr<const Unit>> unit = read_unit(i, report);
      if (!unit) {  // of the cache: what it says is lost, but not what it was made from
        compile({i});
        if (failure_) return tl::unexpected(*failure_);
        unit = read_unit(i, report);
        if (!unit) return tl::unexpected(unit.error());
      }
      facts_[i] = {};
      if (!(*unit)->degraded.empty())
        report.degraded_units.push_back((*unit)->file + ": " + (*unit)->degraded);
      for (const Function& function : (*unit)->functions) {
        ++report.functions;
        if (!function.degraded.empty()) ++report.functions_degraded;
      }
      units.push_back(std::move(*unit));
    }
    return units;
  }

  Expected<std::shared_ptr<const Unit>> read_unit(size_t i, LoadReport& report) {
    const uint64_t hash = trace::fnv1a(facts_[i]);
    if (options_.known != nullptr) {
      const auto known = options_.known->find(hash);
      if (known != options_.known->end() && has_all(known->second)) {
        add_definitions(*known->second.unit);
        add_content(report, hash);
        return known->second.unit;
      }
    }
    KnownUnit read;
    const WantsFunction wants = [&](const Symbol& symbol) {
      return !symbol.is_merged || !definitions_.contains(symbol.linkage_name);
    };
    Expected<Unit> unit = decode_facts(facts_[i], wants, &read.left_out);
    if (!unit) return tl::unexpected(unit.error());
    read.unit = std::make_shared<const Unit>(std::move(*unit));
    add_definitions(*read.unit);
    add_content(report, hash);
    if (options_.known != nullptr) options_.known->insert_or_assign(hash, read);
    return read.unit;
  }

  // What was left out, units before it have here as well.
  bool has_all(const KnownUnit& known) const {
    return std::ranges::all_of(known.left_out, [&](uint32_t symbol) {
      return definitions_.contains(known.unit->symbols[symbol].linkage_name);
    });
  }

  void add_definitions(const Unit& unit) {
    for (const Function& function : unit.functions)
      if (function.symbol != kNone && unit.symbols[function.symbol].is_merged)
        definitions_.insert(unit.symbols[function.symbol].linkage_name);
  }

  static void add_content(LoadReport& report, uint64_t hash) {
    report.content = trace::fnv1a({reinterpret_cast<const char*>(&hash), sizeof hash}, report.content);
  }

  void say(const std::string& text) {
    if (!options_.progress) return;
    std::lock_guard lock(mutex_);
    options_.progress(text);
  }

  const LoadOptions& options_;
  std::vector<UnitCommand> units_;
  std::vector<std::string> facts_;                    // encoded; empty: not known yet
  std::unordered_set<std::string_view> definitions_;  // of functions that can be merged, so far
  std::filesystem::path temporary_;
  StatementLookup* statements_;
  UnitCache cache_;
  unsigned jobs_;
  std::chrono::system_clock::time_point started_ = std::chrono::system_clock::now();
  std::atomic<size_t> compilations_{0};
  std::mutex mutex_;
  std::optional<Error> failure_;
};

}  // namespace

Expected<Program> load_program(const LoadOptions& given, LoadReport* report) {
  LoadOptions options = given;
  std::error_code error;
  options.source = std::filesystem::weakly_canonical(given.source, error);
  options.compile_commands = std::filesystem::absolute(given.compile_commands, error);
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
  Expected<std::vector<std::shared_ptr<const Unit>>> made = loader.run(report != nullptr ? *report : ignored);
  if (!made) return tl::unexpected(made.error());
  return Program(std::move(*made));
}

}  // namespace heddle::program
