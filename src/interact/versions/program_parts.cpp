#include "interact/versions/program_parts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "program/read_text.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

// What would write files, or make something else of the program, or stop for what is none of its business.
bool is_left_out(std::string_view option) {
  constexpr std::string_view kWhole[] = {
      "-shared", "-r",          "-s",        "-static",         "-static-pie",
      "-S",      "--strip-all", "-M",        "--print-map",     "--strip-debug",
      "--cref",  "-Bstatic",    "-dn",       "-non_shared",     "--relocatable",
      "-Map",    "-soname",     "-h",        "-Bsymbolic",      "--dependency-file",
      "--trace", "-t",          "--verbose", "--fatal-warnings"};
  constexpr std::string_view kBeginnings[] = {"-Map=", "-soname=", "--dependency-file=", "--out-implib"};
  return std::find(std::begin(kWhole), std::end(kWhole), option) != std::end(kWhole) ||
         std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view beginning) { return option.starts_with(beginning); });
}

bool has_value_behind(std::string_view option) {
  return option == "-Map" || option == "-soname" || option == "-h" || option == "--dependency-file";
}

std::vector<std::string> pieces_of(const std::string& word) {
  std::vector<std::string> pieces;
  for (size_t begin = 0; begin <= word.size();) {
    const size_t end = std::min(word.find(',', begin), word.size());
    pieces.push_back(word.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

// What -Wl, and -Xlinker hand to the linker.
std::vector<std::string> for_linker(const LinkWord& word) {
  if (word.words.front() == "-Xlinker" && word.words.size() > 1) return {word.words[1]};
  if (!word.words.front().starts_with("-Wl,")) return {};
  return pieces_of(word.words.front().substr(4));
}

// As linkers name a file in their maps: the end of a path, with something else than a name behind.
bool has_word(const std::string& map, const std::string& word) {
  constexpr std::string_view kBefore = "/ \t\n";
  constexpr std::string_view kBehind = " \t\n:(";
  for (size_t at = map.find(word); at != std::string::npos; at = map.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || kBefore.find(map[at - 1]) != std::string_view::npos) &&
        (end == map.size() || kBehind.find(map[end]) != std::string_view::npos))
      return true;
  }
  return false;
}

class LinkWalk {
 public:
  explicit LinkWalk(const CallLog& log) : log_(log) {}

  ProgramParts run(const CallRecord& link) {
    parts_.linker = link.call.arguments.front();
    parts_.is_cxx = links_as_cxx(link.call);
    walk(link, /*is_program=*/true);
    put_shared_first();
    return std::move(parts_);
  }

 private:
  void add(const std::string& argument) { parts_.link_arguments.push_back(argument); }

  void walk(const CallRecord& link, bool is_program) {
    if (!seen_.insert(&link).second) return;
    bool is_whole_archive = false;
    std::optional<std::string> skipped;  // -Xlinker options whose value is an -Xlinker of its own
    for (const LinkWord& word : link.parts.link) {
      switch (word.kind) {
        case LinkWord::Kind::kSource:
        case LinkWord::Kind::kAssembler:
          add_unit(unit_of(link, word));
          break;
        case LinkWord::Kind::kFile:
          file(link, word.path, is_whole_archive);
          break;
        case LinkWord::Kind::kLibrary:
          library(link, word, is_whole_archive);
          break;
        case LinkWord::Kind::kOption:
          for (const std::string& piece : for_linker(word)) {
            if (piece == "--whole-archive") is_whole_archive = true;
            if (piece == "--no-whole-archive") is_whole_archive = false;
          }
          option(link, word, is_program, &skipped);
          break;
      }
    }
  }

  // As the dynamic linker does it: a library is initialized before what uses it, which was met earlier.
  void put_shared_first() {
    if (shared_.empty()) return;
    add("-Wl,--allow-multiple-definition");
    std::vector<ProgramUnit> program = std::exchange(parts_.units, {});
    for (size_t next = 0; next < shared_.size(); ++next) {
      // Those that it is linked with come behind it.
      std::vector<ProgramUnit> later = std::exchange(parts_.units, {});
      walk(*shared_[next], /*is_program=*/false);
      for (ProgramUnit& unit : later) add_unit(std::move(unit));
    }
    for (ProgramUnit& unit : program) add_unit(std::move(unit));
  }

  void add_unit(ProgramUnit unit) {
    const auto same = [&](const ProgramUnit& other) {
      return other.object == unit.object && other.source == unit.source &&
             other.call.arguments == unit.call.arguments && other.call.directory == unit.call.directory;
    };
    if (std::none_of(parts_.units.begin(), parts_.units.end(), same)) parts_.units.push_back(std::move(unit));
  }

  // False if nobody knows of what the object was made.
  bool add_origin(const std::optional<CallLog::Origin>& origin) {
    if (!origin) return false;
    const CallRecord& record = log_.records()[origin->record];
    if (origin->source)
      add_unit(unit_of(record, record.parts.link[*origin->source]));
    else
      walk(record, /*is_program=*/false);
    return true;
  }

  void library(const CallRecord& link, const LinkWord& word, bool is_whole_archive) {
    for (const fs::path& candidate : link.parts.candidates_of(word)) {
      if (link.files.count(candidate.string()) == 0) continue;
      return file(link, candidate, is_whole_archive);
    }
    add(word.words.front());
  }

  void file(const CallRecord& link, const fs::path& path, bool is_whole_archive) {
    const auto known = link.files.find(path.string());
    if (known == link.files.end()) return add(path.string());
    if (known->second.is_archive) return archive(link, path, known->second, is_whole_archive);
    if (add_origin(log_.origin(path, known->second.content))) return;
    // libx.so may be a link to libx.so.1.2.
    std::error_code failed;
    const CallRecord* made = log_.linked(path);
    if (made == nullptr) made = log_.linked(fs::weakly_canonical(path, failed));
    if (made == nullptr) return add(path.string());
    if (made->parts.result == CallParts::Result::kSharedLibrary)
      shared_.push_back(made);
    else
      walk(*made, /*is_program=*/false);
  }

  void archive(const CallRecord& link, const fs::path& path, const FileContent& content,
               bool is_whole_archive) {
    const std::string map = link.link_map.empty() ? "" : program::read_text(link.link_map);
    bool is_complete = true;
    for (const ArchiveMember& member : content.members) {
      const fs::path file = (path.parent_path() / member.name).lexically_normal();
      const bool is_taken = map.empty() ||
                            has_word(map, fmt::format("{}({})", path.filename().string(), member.name)) ||
                            // Of a thin archive.
                            has_word(map, file.string()) ||
                            has_word(map, file.lexically_relative(link.call.directory).string());
      if (!is_taken || !add_origin(log_.origin(member))) is_complete = false;
    }
    if (is_complete) return;
    // Another compiler leaves other calls away, so that the linker may need one more of it.
    if (is_whole_archive) add("-Wl,--no-whole-archive");
    add(path.string());
    if (is_whole_archive) add("-Wl,--whole-archive");
  }

  // The linker is started elsewhere.
  std::string absolute(const std::string& word, const fs::path& directory) const {
    const size_t equals = word.find('=');
    const size_t begin = word.starts_with('-') && equals != std::string::npos ? equals + 1 : 0;
    const std::string value = word.substr(begin);
    std::error_code failed;
    if (value.empty() || value.starts_with('/') || value.starts_with('-') ||
        !fs::exists(directory / value, failed))
      return word;
    return word.substr(0, begin) + (directory / value).lexically_normal().string();
  }

  void option(const CallRecord& link, const LinkWord& word, bool is_program,
              std::optional<std::string>* skipped) {
    const std::string& first = word.words.front();
    if (first.starts_with("-L")) {
      const std::string folder = word.words.size() > 1 ? word.words[1] : first.substr(2);
      return add("-L" + (link.call.directory / folder).lexically_normal().string());
    }
    const bool is_for_all = first == "-pthread" || first.starts_with("-fopenmp");
    if (!is_program && !is_for_all) return;
    const std::vector<std::string> pieces = for_linker(word);
    if (pieces.empty()) {
      if (is_left_out(first)) return;
      add(first);
      if (word.words.size() > 1) add(absolute(word.words[1], link.call.directory));
      return;
    }
    std::string kept;
    for (const std::string& piece : pieces) {
      if (*skipped) {
        skipped->reset();
        continue;
      }
      if (is_left_out(piece)) {
        if (has_value_behind(piece)) *skipped = piece;
        continue;
      }
      kept += "," + absolute(piece, link.call.directory);
    }
    if (!kept.empty()) add("-Wl" + kept);
  }

  const CallLog& log_;
  ProgramParts parts_;
  std::set<const CallRecord*> seen_;
  std::vector<const CallRecord*> shared_;  // libraries that are still to be walked through, or have been
};

// Not of an earlier state of the project, nor a probe of what the compiler can do.
bool is_there(const ProgramUnit& unit) {
  std::error_code failed;
  return fs::exists(unit.source, failed) && fs::exists(unit.call.directory, failed) &&
         !is_probe(unit.source) && !is_probe(unit.object) && !is_probe(unit.call.directory / "a.out");
}

}  // namespace

bool is_probe(const fs::path& file) {
  bool is_of_cmake = false;
  for (const fs::path& part : file) {
    if (part == "CMakeScratch" || part == "CMakeTmp") return true;
    is_of_cmake |= part == "CMakeFiles";
  }
  return is_of_cmake && cmake_targets(file).empty();
}

ProgramUnit unit_of(const CallRecord& record, const LinkWord& source) {
  ProgramUnit unit;
  unit.call = call_for(record.call, record.parts, source);
  unit.source = source.path;
  unit.is_assembler = source.kind == LinkWord::Kind::kAssembler;
  if (!record.parts.is_linked()) unit.object = record.parts.object_of(source, record.call);
  return unit;
}

ProgramParts parts_of_program(const CallLog& log, const CallRecord& link) {
  return LinkWalk(log).run(link);
}

std::vector<ProgramUnit> all_units(const CallLog& log) {
  std::map<std::string, ProgramUnit> units;  // by object, and source if there is none
  for (const CallRecord& record : log.records()) {
    for (const LinkWord& word : record.parts.link) {
      if (word.kind != LinkWord::Kind::kSource) continue;
      ProgramUnit unit = unit_of(record, word);
      if (!is_there(unit)) continue;
      const std::string key = fmt::format("{}\n{}", unit.object.string(), unit.source.string());
      units.insert_or_assign(key, std::move(unit));
    }
  }
  std::vector<ProgramUnit> list;
  for (auto& [key, unit] : units) list.push_back(std::move(unit));
  return list;
}

std::set<std::string> cmake_targets(const fs::path& object) {
  constexpr std::string_view kEnd = ".dir";
  std::set<std::string> targets;
  bool is_next = false;
  for (const fs::path& part : object) {
    const std::string name = part.string();
    if (is_next && name.ends_with(kEnd)) targets.insert(name.substr(0, name.size() - kEnd.size()));
    is_next = name == "CMakeFiles";
  }
  return targets;
}

}  // namespace heddle::interact
