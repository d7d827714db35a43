// CompilerCall: one call of a compiler, and what its command line says: what is compiled how, and what is
// linked in which order.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::interact {

struct CompilerCall {
  std::filesystem::path directory;
  std::vector<std::string> arguments;  // the compiler first; no response files
};

// A word that the linker gets, or a source whose object it gets.
struct LinkWord {
  enum class Kind {
    kSource,
    kAssembler,
    kFile,     // object, archive, shared library, linker script
    kLibrary,  // -lm
    kOption,
  };
  Kind kind = Kind::kFile;
  std::filesystem::path path;      // of sources and files, absolute
  std::string language;            // of -x; empty: by the name
  std::vector<std::string> words;  // of libraries and options, with their values
};

struct CallParts {
  enum class Result { kNothing, kObjects, kExecutable, kSharedLibrary, kObjectOfObjects };
  Result result = Result::kNothing;
  std::filesystem::path output;    // absolute; of several objects, or one that is named by its source: empty
  std::vector<LinkWord> link;      // sources among them, in order
  std::vector<std::string> flags;  // how sources are compiled, without what they are and what is written
  std::vector<std::filesystem::path> library_folders;

  bool links_archives_only = false;

  bool is_linked() const { return result != Result::kNothing && result != Result::kObjects; }
  std::filesystem::path object_of(const LinkWord& source, const CompilerCall& call) const;
  // The files that -lNAME could be in the folders that the call names, in the order of the search.
  std::vector<std::filesystem::path> candidates_of(const LinkWord& library) const;
};

CallParts parts_of(const CompilerCall& call);

// The call that compiles one source to nowhere in particular: compiler, flags, "-c", source.
CompilerCall call_for(const CompilerCall& call, const CallParts& parts, const LinkWord& source);

// Whether the last part of the compiler's name says that it links as C++.
bool links_as_cxx(const CompilerCall& call);

}  // namespace heddle::interact
