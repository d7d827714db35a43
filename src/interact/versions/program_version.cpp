#include "interact/versions/program_version.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "execute/runtime_location.h"
#include "interact/fast/fast_form.h"
#include "interact/versions/call_log.h"
#include "interact/versions/fuzz_function.h"
#include "interact/versions/parts_file.h"
#include "interact/versions/program_form.h"
#include "interact/versions/project_programs.h"
#include "interact/versions/recorder_names.h"
#include "interact/versions/stand_ins.h"
#include "trace/hash.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

// Of what make_forms() leaves: another number where it would be otherwise.
constexpr const char* kFormat = "1";

constexpr const char* kPartsFile = "parts.json";
constexpr const char* kCommandsFile = "compile_commands.json";
constexpr const char* kGuarded = "guarded";
constexpr const char* kPlainFunction = "plain";
constexpr const char* kRecordable = "recordable";
constexpr const char* kFast = "fast";

uint64_t hash_of_words(const std::vector<std::string>& words) {
  uint64_t hash = trace::kFnvBasis;
  for (const std::string& word : words) hash = trace::fnv1a("\n", 1, trace::fnv1a(word, hash));
  return hash;
}

// Both are kept.
struct InUse {
  std::shared_ptr<const void> build;
  std::shared_ptr<const KeptFolder> forms;
};

Error of_revision(const Revision& revision, Error error) {
  if (error.message != "interrupted") error.message = fmt::format("{}: {}", revision.name, error.message);
  return error;
}

// Objects that other forms take as they are. They are made again, since the build may have removed them.
Expected<void> keep_assembler_units(const fs::path& folder, ProgramParts* parts) {
  FormRequest request;
  request.folder = folder;
  for (const ProgramUnit& unit : parts->units)
    if (unit.is_assembler) request.units.push_back(unit);
  const Expected<std::vector<fs::path>> objects = compile_units(request);
  if (!objects) return tl::unexpected(objects.error());
  std::erase_if(parts->units, [](const ProgramUnit& unit) { return unit.is_assembler; });
  for (size_t i = 0; i < objects->size(); ++i) {
    const fs::path kept = folder / fmt::format("assembler{}.o", i);
    std::error_code failed;
    fs::rename((*objects)[i], kept, failed);
    parts->link_arguments.insert(parts->link_arguments.begin() + static_cast<std::ptrdiff_t>(i),
                                 kept.string());
  }
  return {};
}

// What the parts say is in a folder that is renamed when it is finished.
void move_paths(const fs::path& from, const fs::path& to, KeptParts* kept) {
  const auto move = [&](std::string path) {
    const std::string folder = from.string() + "/";
    return path.starts_with(folder) ? (to / path.substr(folder.size())).string() : path;
  };
  for (std::string& argument : kept->parts.link_arguments) argument = move(argument);
  kept->plain = move(kept->plain.string());
}

Recipe recipe_of(const ProgramParts& parts) {
  Recipe recipe;
  bool has_cxx = false;
  for (const ProgramUnit& unit : parts.units) {
    recipe.units.push_back(
        program::translate_command({unit.call.directory, unit.source, unit.call.arguments}));
    has_cxx |= recipe.units.back().language != program::UnitLanguage::kC;
  }
  recipe.link_arguments = parts.link_arguments;
  // A C program with a C++ library that is not the project's.
  if (parts.is_cxx && !has_cxx) recipe.link_arguments.emplace_back("-lstdc++");
  return recipe;
}

// What a program gets of heddle: files of the runtime with this in their names.
std::vector<std::string> identity_of_runtime(std::string_view part) {
  std::vector<std::string> words = {HEDDLE_VERSION};
  const Expected<std::string> runtime = find_runtime();
  if (!runtime) return words;
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(*runtime, failed)) {
    const std::string name = entry.path().filename().string();
    if (name.find(part) == std::string::npos) continue;
    std::error_code gone;
    files.push_back(fmt::format("{} {} {}", name, fs::file_size(entry.path(), gone),
                                fs::last_write_time(entry.path(), gone).time_since_epoch().count()));
  }
  std::sort(files.begin(), files.end());
  words.insert(words.end(), files.begin(), files.end());
  return words;
}

}  // namespace

VersionMaker::VersionMaker(Options options) : options_(std::move(options)) {
  // Compilers say where they are without links, and what they say is compared with paths below the store.
  std::error_code failed;
  const fs::path store = fs::absolute(options_.store, failed);
  fs::create_directories(store, failed);
  options_.store = fs::weakly_canonical(store, failed);
}

void VersionMaker::say(const std::string& text) const {
  if (options_.progress) options_.progress(text);
}

Expected<ProgramVersion> VersionMaker::make(const Repository& repository, const Project& project,
                                            const Revision& revision) {
  const fs::path all = options_.store / "versions";
  const fs::path stand_ins = all / "compilers";
  if (const Expected<void> made = make_stand_ins(stand_ins, options_.compilers / kRecorder); !made)
    return tl::unexpected(made.error());
  Builder builder({.store = all,
                   .compilers = stand_ins,
                   .progress = options_.progress,
                   .says = {},
                   .environment = recording_environment(stand_ins)});
  Project plain = project;
  plain.flags.clear();  // they go with heddle's instrumentation
  const Expected<ProjectBuild> build = builder.build(repository, revision, plain);
  if (!build) return tl::unexpected(build.error());

  // Where it was built is in the forms as well.
  const uint64_t key = hash_of_words({kFormat, fmt::format("{:x}", build->id), build->folder.string(),
                                      options_.program, options_.is_function ? "function" : "program"});
  const Expected<std::shared_ptr<const KeptFolder>> kept =
      KeptFolder::use(all / "programs", fmt::format("{:016x}", key));
  if (!kept) return tl::unexpected(kept.error());
  const Expected<fs::path> folder =
      (*kept)->part("program", [&](const fs::path& into) { return make_forms(*build, into); });
  if (!folder) return tl::unexpected(of_revision(revision, folder.error()));
  const std::optional<KeptParts> parts = read_parts(*folder / kPartsFile);
  if (!parts)
    return internal_error(fmt::format("{} is damaged; remove its folder", (*folder / kPartsFile).string()));

  ProgramVersion version;
  version.revision = revision;
  version.source = build->source;
  version.compile_commands = *folder / kCommandsFile;
  version.recipe = recipe_of(parts->parts);
  version.plain = parts->plain;
  version.guarded = *folder / kGuarded;
  version.forms = *kept;
  version.in_use = std::make_shared<InUse>(InUse{build->in_use, *kept});
  return version;
}

Expected<void> VersionMaker::make_forms(const ProjectBuild& build, const fs::path& folder) const {
  const CallLog log = CallLog::read(call_log_of(build.folder));
  const ProjectPrograms programs(log, build.source, build.folder);
  KeptParts kept;
  if (options_.is_function) {
    const Expected<ProgramParts> parts =
        parts_of_function({log, programs, options_.program, build.source, folder});
    if (!parts) return tl::unexpected(parts.error());
    kept = {*parts, folder / kPlainFunction};
  } else {
    const Expected<ProjectProgram> program = programs.find(options_.program);
    if (!program) return tl::unexpected(program.error());
    kept = {parts_of_program(log, *program->link), program->file};
  }
  if (const Expected<void> done = keep_assembler_units(folder, &kept.parts); !done) return done;
  if (kept.parts.units.empty())
    return usage_error(fmt::format("{} is made of no source in C or C++ that the build compiles",
                                   programs.shown(kept.plain)));

  FormRequest request;
  request.units = kept.parts.units;
  request.link_arguments = kept.parts.link_arguments;
  request.linker = kept.parts.linker;
  request.is_fuzz_target = options_.is_function;
  request.folder = folder;
  if (options_.is_function) {
    say(fmt::format("compiling a program around {} of {}", options_.program, build.revision.name));
    request.output = kept.plain;
    if (const Expected<void> made = make_form(request); !made) return made;
  }
  say(fmt::format("compiling {} of {} with AddressSanitizer", options_.program, build.revision.name));
  request.is_guarded = true;
  request.output = folder / kGuarded;
  if (const Expected<void> made = make_form(request); !made) return made;

  if (const Expected<void> done = write_compile_commands(kept.parts.units, folder / kCommandsFile); !done)
    return done;
  move_paths(folder, folder.parent_path() / folder.stem(), &kept);
  return write_parts(kept, folder / kPartsFile);
}

Expected<fs::path> VersionMaker::make_recordable(const ProgramVersion& version,
                                                 const std::vector<concolic::WatchedLine>& watched) {
  return make_instrumented(version, watched, kRecordable, concolic::compile_for_recording);
}

Expected<fs::path> VersionMaker::make_fast(const ProgramVersion& version,
                                           const std::vector<concolic::WatchedLine>& watched) {
  return make_instrumented(version, watched, kFast, fast::compile_fast_form);
}

Expected<fs::path> VersionMaker::make_instrumented(const ProgramVersion& version,
                                                   const std::vector<concolic::WatchedLine>& watched,
                                                   const std::string& name, Compile instrument) {
  std::vector<std::string> words = identity_of_runtime(name == kFast ? "fast" : "concolic");
  for (const concolic::WatchedLine& line : watched)
    words.push_back(fmt::format("{}:{}:{}", line.file, line.line, line.column));
  const auto compile = [&](const fs::path& folder) -> Expected<void> {
    say(fmt::format("compiling {} of {}, {}", options_.program, version.revision.name, name));
    concolic::CompileRequest request;
    request.units = version.recipe.units;
    request.folder = folder;
    request.output = folder / name;
    request.link_arguments = version.recipe.link_arguments;
    request.watched = watched;
    request.is_fuzz_target = options_.is_function;
    if (const Expected<void> compiled = instrument(request); !compiled) return compiled;
    std::error_code failed;
    for (size_t i = 0; i < request.units.size(); ++i) fs::remove(folder / fmt::format("unit{}.o", i), failed);
    return {};
  };
  const Expected<fs::path> folder =
      version.forms->part(fmt::format("{}-{:016x}", name, hash_of_words(words)), compile);
  if (!folder) return tl::unexpected(of_revision(version.revision, folder.error()));
  return *folder / name;
}

}  // namespace heddle::interact
