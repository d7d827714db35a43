#include "interact/versions/compiler_call.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "execute/compiler_arguments.h"

namespace heddle::interact {
namespace {

namespace fs = std::filesystem;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool starts_with_one_of(std::string_view word, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return word.starts_with(beginning); });
}

bool is_source(const fs::path& path) {
  return is_one_of(path.extension().string(), {".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C",
                                               ".ii", ".m", ".mm", ".cppm", ".ixx", ".f", ".f90", ".F90"});
}

bool is_assembler(const fs::path& path) {
  return is_one_of(path.extension().string(), {".s", ".S", ".sx", ".asm"});
}

bool is_header(const fs::path& path, std::string_view language) {
  return language.ends_with("-header") ||
         (language.empty() && is_one_of(path.extension().string(), {".h", ".hh", ".hpp", ".hxx", ".H"}));
}

// Only asked for, or something else than code is made.
bool makes_no_code(std::string_view word) {
  return is_one_of(word, {"-S", "-E", "-M", "-MM", "-fsyntax-only", "-###", "-cc1", "-dumpversion",
                          "-dumpfullversion", "-dumpmachine", "-dumpspecs"}) ||
         starts_with_one_of(word, {"-print-", "--print-", "--version", "--help"});
}

// Files that the compiler writes beside its output.
bool writes_more(std::string_view word) {
  return is_one_of(word,
                   {"-c", "-MD", "-MMD", "-MP", "-MG", "-MF", "-MT", "-MQ", "-MJ", "-o", "-aux-info",
                    "-dumpbase", "-dumpdir", "-fstack-usage", "-fcallgraph-info", "-H", "-v", "-pipe"}) ||
         starts_with_one_of(word, {"-save-temps", "--save-temps", "-fdump-", "-ftime-trace", "-Wp,-M"});
}

bool is_for_linking(std::string_view word) {
  return is_one_of(word, {"-Xlinker", "-T", "-u", "-z", "-e", "-rdynamic", "-no-pie", "-nopie", "-pie", "-s",
                          "-static", "-static-pie", "-shared", "-r", "-nostdlib", "-nodefaultlibs",
                          "-nostartfiles", "-static-libgcc", "-static-libstdc++"}) ||
         starts_with_one_of(word, {"-Wl,", "-L", "-fuse-ld=", "-z"});
}

// For units and for the linker.
bool is_for_both(std::string_view word) {
  return is_one_of(word,
                   {"-pthread", "-m32", "-m64", "-mx32", "-target", "--sysroot", "-B", "-gcc-toolchain"}) ||
         starts_with_one_of(word, {"-fopenmp", "-stdlib=", "--sysroot=", "--target=", "--gcc-toolchain="});
}

class CallReader {
 public:
  explicit CallReader(const CompilerCall& call) : call_(call) {}

  CallParts run() {
    for (next_ = 1; next_ < call_.arguments.size();) step();
    if (makes_nothing_ || !has_input_)
      parts_.result = CallParts::Result::kNothing;
    else if (compiles_only_)
      parts_.result = CallParts::Result::kObjects;
    else if (is_shared_)
      parts_.result = CallParts::Result::kSharedLibrary;
    else if (is_relocatable_)
      parts_.result = CallParts::Result::kObjectOfObjects;
    else
      parts_.result = CallParts::Result::kExecutable;
    if (parts_.is_linked() && parts_.output.empty()) parts_.output = absolute("a.out");
    return std::move(parts_);
  }

 private:
  fs::path absolute(const fs::path& path) const { return (call_.directory / path).lexically_normal(); }

  // With its value, joined or not, as it stands there.
  std::vector<std::string> take() {
    std::vector<std::string> words = {call_.arguments[next_++]};
    if (takes_next_word(words.front()) && next_ < call_.arguments.size())
      words.push_back(call_.arguments[next_++]);
    return words;
  }

  void step() {
    const std::vector<std::string> words = take();
    const std::string& word = words.front();
    if (word == "-" || makes_no_code(word)) {
      makes_nothing_ = true;
    } else if (!word.starts_with('-')) {
      if (!word.empty()) input(word);
    } else if (word.starts_with("-x")) {
      language_ = words.size() > 1 ? words[1] : word.substr(2);
      if (language_ == "none") language_.clear();
    } else if (word.starts_with("-o") && word != "-object") {
      parts_.output = absolute(words.size() > 1 ? words[1] : word.substr(2));
    } else if (word.starts_with("-l")) {
      link(LinkWord::Kind::kLibrary, {"-l" + (words.size() > 1 ? words[1] : word.substr(2))});
      has_input_ = true;
    } else {
      option(words);
    }
  }

  void input(const std::string& word) {
    has_input_ = true;
    LinkWord input;
    input.path = absolute(word);
    input.language = language_;
    if (is_header(input.path, language_)) makes_nothing_ = true;
    if (language_.starts_with("assembler") || (language_.empty() && is_assembler(input.path)))
      input.kind = LinkWord::Kind::kAssembler;
    else if (!language_.empty() || is_source(input.path))
      input.kind = LinkWord::Kind::kSource;
    parts_.link.push_back(std::move(input));
  }

  void option(const std::vector<std::string>& words) {
    const std::string& word = words.front();
    if (word == "-c") compiles_only_ = true;
    if (word == "-shared") is_shared_ = true;
    if (word == "-static") parts_.links_archives_only = true;
    if (word == "-r" || word == "-Wl,-r" || word == "-Wl,--relocatable") is_relocatable_ = true;
    if (word.starts_with("-L"))
      parts_.library_folders.push_back(absolute(words.size() > 1 ? words[1] : word.substr(2)));
    if (is_for_linking(word) || is_for_both(word)) link(LinkWord::Kind::kOption, words);
    if (!is_for_linking(word) && !writes_more(word))
      parts_.flags.insert(parts_.flags.end(), words.begin(), words.end());
  }

  void link(LinkWord::Kind kind, const std::vector<std::string>& words) {
    LinkWord added;
    added.kind = kind;
    added.words = words;
    parts_.link.push_back(std::move(added));
  }

  const CompilerCall& call_;
  size_t next_ = 1;
  CallParts parts_;
  std::string language_;
  bool has_input_ = false;
  bool makes_nothing_ = false;
  bool compiles_only_ = false;
  bool is_shared_ = false;
  bool is_relocatable_ = false;
};

}  // namespace

fs::path CallParts::object_of(const LinkWord& source, const CompilerCall& call) const {
  if (!output.empty()) return output;
  return (call.directory / source.path.stem()).lexically_normal().string() + ".o";
}

CallParts parts_of(const CompilerCall& call) {
  return CallReader(call).run();
}

CompilerCall call_for(const CompilerCall& call, const CallParts& parts, const LinkWord& source) {
  CompilerCall result;
  result.directory = call.directory;
  result.arguments = {call.arguments.front()};
  result.arguments.insert(result.arguments.end(), parts.flags.begin(), parts.flags.end());
  if (!source.language.empty()) result.arguments.insert(result.arguments.end(), {"-x", source.language});
  result.arguments.insert(result.arguments.end(), {"-c", source.path.string()});
  return result;
}

bool links_as_cxx(const CompilerCall& call) {
  return fs::path(call.arguments.front()).filename().string().find("++") != std::string::npos;
}

std::vector<fs::path> CallParts::candidates_of(const LinkWord& library) const {
  const std::string name = library.words.front().substr(2);
  std::vector<fs::path> candidates;
  for (const fs::path& folder : library_folders) {
    if (name.starts_with(':')) {
      candidates.push_back(folder / name.substr(1));
      continue;
    }
    if (!links_archives_only) candidates.push_back(folder / ("lib" + name + ".so"));
    candidates.push_back(folder / ("lib" + name + ".a"));
  }
  return candidates;
}

}  // namespace heddle::interact
