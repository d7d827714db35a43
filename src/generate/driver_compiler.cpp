#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "execute/runtime_location.h"
#include "generate/build_step.h"
#include "generate/compiler_words.h"
#include "generate/driver_build.h"
#include "generate/driver_link.h"
#include "generate/driver_source.h"
#include "generate/refusals.h"
#include "generate/state_source.h"
#include "trace/hash.h"

namespace heddle::generate {
namespace fs = std::filesystem;
namespace {

// The compiler mostly names all that it refuses at once; what it finds only afterwards takes further rounds.
constexpr int kMostRounds = 8;
constexpr size_t kMostWordsShown = 4000;

std::string shown(const std::string& words) {
  return words.size() <= kMostWordsShown ? words : words.substr(0, kMostWordsShown) + "\n…";
}

// Leaves a file with this content as it is.
Expected<void> write_file(const fs::path& file, const std::string& text) {
  std::ostringstream present;
  present << std::ifstream(file, std::ios::binary).rdbuf();
  if (present.str() == text) return {};
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) return usage_error(fmt::format("cannot write {}", file.string()));
  return {};
}

// Of the same family, which share what instrumented code calls: "clang++-19" → "clang-19".
std::string c_compiler_beside(std::string compiler) {
  for (const auto& [cxx, c] : {std::pair<std::string, std::string>{"clang++", "clang"}, {"g++", "gcc"}}) {
    const size_t at = compiler.rfind(cxx);
    if (at != std::string::npos) return compiler.replace(at, cxx.size(), c);
  }
  return "";
}

// Makes a driver of a table, in a folder of its own.
class DriverCompiler {
 public:
  DriverCompiler(ClassModel model, OperationTable table, const ClassSources& sources,
                 const DriverOptions& options, fs::path parts)
      : as_read_(std::move(model)),
        model_(as_read_),
        table_(std::move(table)),
        sources_(sources),
        options_(options),
        parts_(std::move(parts)) {}

  Expected<Driver> compile() {
    std::error_code failed;
    fs::create_directories(options_.folder, failed);
    if (failed)
      return usage_error(fmt::format("cannot make {}: {}", options_.folder.string(), failed.message()));
    if (const Expected<void> compiled = compile_all(); !compiled) return tl::unexpected(compiled.error());
    const Expected<fs::path> archive = link();
    if (!archive) return tl::unexpected(archive.error());
    Driver driver;
    driver.program = program();
    driver.source = calls_file();
    for (const BuildStep& step : source_steps_) driver.objects.push_back(step.output);
    driver.archive = *archive;
    driver.operations = without(table_, refusals_);
    driver.unusable = model_.unusable;
    for (Unusable& lost : describe(table_, refusals_)) driver.unusable.push_back(std::move(lost));
    driver.model = std::move(model_);
    return driver;
  }

 private:
  fs::path program() const { return options_.folder / "driver"; }
  fs::path calls_file() const { return options_.folder / "calls.cpp"; }
  fs::path state_file() const { return options_.folder / "state.cpp"; }
  fs::path refusals_file() const { return options_.folder / "refused"; }

  std::vector<std::string> compiler_for(bool is_c) const {
    std::vector<std::string> words = {(options_.compilers / (is_c ? "heddle-cc" : "heddle-c++")).string()};
    const std::string name = is_c ? c_compiler_beside(sources_.compiler) : sources_.compiler;
    if (!name.empty()) words.push_back("--heddle-compiler=" + name);
    return words;
  }

  BuildStep step(const fs::path& source, const fs::path& output,
                 const std::vector<std::string>& flags) const {
    BuildStep step{output, compiler_for(source.extension() == ".c")};
    const auto add = [&](const std::vector<std::string>& words) {
      step.command.insert(step.command.end(), words.begin(), words.end());
    };
    // Every error counts, and so does every line that a template was needed by.
    add({"-w", "-g", "-O1", "-fmax-errors=0", "-ftemplate-backtrace-limit=0", "-fdiagnostics-color=never"});
    add(flags);
    add({"-MD", "-MF", step.dependency_file().string(), "-c", source.string(), "-o", output.string()});
    return step;
  }

  std::vector<std::string> flags_with(const std::vector<std::string>& more) const {
    std::vector<std::string> flags = sources_.flags;
    flags.push_back("-I" + parts_.string());
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
  }

  BuildStep calls_step() const {
    return step(calls_file(), options_.folder / "calls.o", flags_with({"-fexceptions"}));
  }
  BuildStep state_step() const {
    BuildStep compiling =
        step(state_file(), options_.folder / "state.o", flags_with({"-fexceptions", "-fno-access-control"}));
    return model_.implementation.source.empty() ? compiling : yielding(std::move(compiling));
  }
  // What others define as well, they define; and variables are initialised once.
  static BuildStep yielding(BuildStep compiling) {
    const std::string script =
        R"(object=$1; shift; "$@" && objcopy --weaken -R '.init_array*' -R '.ctors*' "$object")";
    compiling.command.insert(compiling.command.begin(),
                             {"sh", "-c", script, "sh", compiling.output.string()});
    return compiling;
  }
  // Not instrumented: the last word is ours.
  BuildStep harness_step() const {
    return step(
        parts_ / "driver_harness.cpp", options_.folder / "harness.o",
        {"-std=c++17", "-fno-sanitize=thread", "-fno-sanitize-coverage=trace-pc", "-I" + parts_.string()});
  }

  std::vector<BuildStep> make_source_steps() const {
    std::vector<BuildStep> steps;
    for (size_t i = 0; i < sources_.sources.size(); ++i) {
      const fs::path source = sources_.sources[i];
      const std::string object = fmt::format("source_{}_{}.o", i, source.stem().string());
      std::vector<std::string> flags = sources_.flags;
      // A C compiler knows nothing of the standards of C++.
      if (source.extension() == ".c")
        std::erase_if(flags, [](const std::string& flag) { return flag.starts_with("-std="); });
      steps.push_back(step(source, options_.folder / object, flags));
    }
    return steps;
  }

  Expected<void> compile_all() {
    full_hash_ = trace::fnv1a(calls_source(model_, table_, sources_.headers).text);
    recall_refusals();
    source_steps_ = make_source_steps();
    for (int round = 0; round < kMostRounds; ++round) {
      if (const Expected<void> written = write_sources(); !written) return written;
      std::vector<BuildStep> steps = {calls_step(), state_step(), harness_step()};
      steps.insert(steps.end(), source_steps_.begin(), source_steps_.end());
      if (options_.step)
        options_.step(round == 0 ? "compiling the driver"
                                 : "compiling the driver without what does not compile");
      const Expected<std::vector<BuildEnd>> ends = execute_steps(steps);
      if (!ends) return tl::unexpected(ends.error());
      for (size_t i = 2; i < steps.size(); ++i) {
        if (!(*ends)[i].ok) return refuse_source(i, (*ends)[i].words);
      }
      if (!(*ends)[0].ok) {
        if (const Expected<void> left = leave_out_calls((*ends)[0].words); !left) return left;
      }
      if (!(*ends)[1].ok) leave_out_fields((*ends)[1].words);
      if ((*ends)[0].ok && (*ends)[1].ok) return keep_refusals();
    }
    return usage_error(fmt::format("the driver of {} does not compile; its source is {}", model_.spelled,
                                   calls_file().string()));
  }

  Expected<void> write_sources() {
    calls_ = calls_source(model_, without(table_, refusals_), sources_.headers);
    state_ = state_source(model_, sources_.headers, fields_refused_);
    if (const Expected<void> written = write_file(calls_file(), calls_.text); !written) return written;
    return write_file(state_file(), state_.text);
  }

  tl::unexpected<Error> refuse_source(size_t step, const std::string& words) const {
    const std::string name =
        step == 2 ? (parts_ / "driver_harness.cpp").string() : sources_.sources[step - 3];
    return usage_error(fmt::format("{} does not compile:\n{}", name, shown(words)));
  }

  // Takes from the table what the words blame; an error if that is nothing.
  Expected<void> leave_out_calls(const std::string& words) {
    const CompilerErrors errors = read_compiler_words(words, calls_file().string());
    const OperationTable tried = without(table_, refusals_);
    const std::vector<uint32_t> numbers = numbers_left();
    const size_t before = refusals_.size();
    bool is_less = false;
    const std::optional<std::string> about_includes = includes_refused(errors);
    if (about_includes) return usage_error(*about_includes);
    for (const auto& [line, error] : errors.by_line) {
      const LineOwner owner = line < calls_.owners.size() ? calls_.owners[line] : LineOwner{};
      if (owner.kind == LineOwner::Kind::kOperation) refusals_.emplace(numbers[owner.index], error);
      if (owner.kind == LineOwner::Kind::kFixture) leave_out_fixture(owner.index, error);
      if (owner.kind == LineOwner::Kind::kText) {
        leave_out_text(calls_.structures[owner.index]);
        is_less = true;
      }
    }
    refuse_dependents(table_, &refusals_);
    if (refusals_.size() == before && !is_less) {
      return usage_error(fmt::format("the driver of {} does not compile; the compiler says:\n{}",
                                     model_.spelled, shown(words)));
    }
    const OperationTable rest = without(table_, refusals_);
    if (rest.constructors == 0 || rest.operations.size() == rest.constructors) {
      return usage_error(fmt::format("{} of {} compiles: {}",
                                     rest.constructors == 0 ? "no way to construct an object" : "no call",
                                     model_.spelled, errors.by_line.begin()->second));
    }
    return {};
  }

  // What the user wants included is not left out.
  std::optional<std::string> includes_refused(const CompilerErrors& errors) const {
    for (const auto& [line, error] : errors.by_line) {
      if (line < calls_.owners.size() && calls_.owners[line].kind == LineOwner::Kind::kInclude)
        return fmt::format("{} cannot be included: {}", table_.includes[calls_.owners[line].index], error);
    }
    return std::nullopt;
  }

  // Numbers in the whole table of the operations that are left.
  std::vector<uint32_t> numbers_left() const {
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < table_.operations.size(); ++i) {
      if (!refusals_.contains(i)) numbers.push_back(i);
    }
    return numbers;
  }

  // Tests are written with the same model, so they have no text of it either.
  void leave_out_text(const std::string& structure) {
    model_.types[structure].fields.clear();
    texts_refused_.insert(structure);
  }

  // Its operations go, and then it is in nobody's way.
  void leave_out_fixture(uint32_t fixture, const std::string& error) {
    for (const Operation& operation : table_.operations) {
      if (std::find(operation.fixtures.begin(), operation.fixtures.end(), fixture) !=
          operation.fixtures.end())
        refusals_.emplace(static_cast<uint32_t>(operation.id), error);
    }
  }

  // An error that no field is to blame for takes the implementation; then all that the classes within have;
  // then all there is: a driver without states finds less, but works.
  void leave_out_fields(const std::string& words) {
    const CompilerErrors errors = read_compiler_words(words, state_file().string());
    const size_t before = fields_refused_.size();
    for (const auto& [line, error] : errors.by_line) {
      if (line < state_.owners.size() && state_.owners[line].kind == LineOwner::Kind::kField)
        fields_refused_.insert(state_.fields[state_.owners[line].index]);
    }
    if (fields_refused_.size() != before) return;
    if (!model_.implementation.source.empty()) return model_.implementation.source.clear();
    for (const auto& [name, fields] : model_.inner) fields_refused_.insert(name);
    if (fields_refused_.size() == before) fields_refused_.insert(state_.fields.begin(), state_.fields.end());
  }

  // What was refused the last time need not be tried again, as long as nothing has changed.
  void recall_refusals() {
    std::ifstream in(refusals_file());
    std::string line;
    if (!std::getline(in, line) || line != fmt::format("{:016x}", full_hash_)) return;
    while (std::getline(in, line)) {
      std::istringstream words(line);
      std::string kind;
      std::string which;
      std::string reason;
      words >> kind >> which;
      std::getline(words >> std::ws, reason);
      if (kind == "field") fields_refused_.insert(reason);
      if (kind == "text") leave_out_text(reason);
      if (kind == "implementation") model_.implementation.source.clear();
      const uint32_t number =
          kind == "call" ? static_cast<uint32_t>(std::strtoul(which.c_str(), nullptr, 10)) : 0;
      if (kind == "call" && number < table_.operations.size()) refusals_.emplace(number, reason);
    }
    const bool written = write_sources().has_value();
    if (!written || !is_up_to_date(calls_step())) {
      refusals_.clear();
      texts_refused_.clear();
      model_.types = as_read_.types;
    }
    if (!written || !is_up_to_date(state_step())) {
      fields_refused_.clear();
      model_.implementation = as_read_.implementation;
    }
  }

  Expected<void> keep_refusals() const {
    std::string text = fmt::format("{:016x}\n", full_hash_);
    for (const auto& [number, reason] : refusals_) text += fmt::format("call {} {}\n", number, reason);
    for (const std::string& structure : texts_refused_) text += fmt::format("text of {}\n", structure);
    if (model_.implementation.source != as_read_.implementation.source)
      text += fmt::format("implementation in {}\n", as_read_.implementation.source);
    for (const std::string& field : fields_refused_) text += fmt::format("field of {}\n", field);
    return write_file(refusals_file(), text);
  }

  Expected<fs::path> link() {
    DriverParts parts{.program = program(),
                      .of_class = model_.spelled,
                      .linker = compiler_for(/*is_c=*/false),
                      .flags = sources_.flags,
                      // Of functions that several files have, the linker takes the first: instrumented ones.
                      .objects = {calls_step().output},
                      .libraries = sources_.libraries,
                      .harness = harness_step().output,
                      .further = further_steps(),
                      .step = options_.step};
    for (const BuildStep& source : source_steps_) parts.objects.push_back(source.output);
    parts.objects.push_back(state_step().output);
    return link_driver(parts);
  }

  std::vector<BuildStep> further_steps() const {
    std::vector<BuildStep> steps;
    for (const std::string& source : sources_.more_sources) {
      const std::string object =
          fmt::format("further_{}_{}.o", steps.size(), fs::path(source).stem().string());
      steps.push_back(step(source, options_.folder / object, sources_.flags));
    }
    return steps;
  }

  const ClassModel as_read_;
  ClassModel model_;
  std::set<std::string> texts_refused_;
  std::set<std::string> fields_refused_;  // that the state cannot read, see state_source
  const OperationTable table_;
  const ClassSources& sources_;
  const DriverOptions& options_;
  const fs::path parts_;  // folder of the parts that all drivers share
  Refusals refusals_;
  uint64_t full_hash_ = 0;  // of the source with all operations
  DriverSource calls_;
  DriverSource state_;
  std::vector<BuildStep> source_steps_;
};

}  // namespace

Expected<Driver> compile_driver(ClassModel model, OperationTable operations, const ClassSources& sources,
                                const DriverOptions& options) {
  const Expected<std::string> runtime = find_runtime();
  if (!runtime) return tl::unexpected(runtime.error());
  const fs::path parts = fs::path(*runtime) / "driver";
  std::error_code failed;
  if (!fs::exists(parts, failed))
    return internal_error(
        fmt::format("parts of heddle are missing: there is no {}; install heddle again", parts.string()));
  DriverOptions absolute = options;
  absolute.folder = fs::absolute(options.folder, failed);
  return DriverCompiler(std::move(model), std::move(operations), sources, absolute, parts).compile();
}

}  // namespace heddle::generate
