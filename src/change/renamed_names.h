// Names of the project that were given another name everywhere: functions, classes, fields, all at once.
//
// A name was renamed if it is declared in the old version only, its new name is declared in the new version
// only and means nothing in the old one, and text that is the same but for such names says, by most of its
// places and from both sides, that they stand for each other. Nothing else has to be right for what follows:
// a version in which each name has been replaced by one that means nothing in it is the same program, so that
// whatever differs after the names are put back has changed.
//
// As which name a name counts depends on others (a short function can be told only by its calls), so that
// this goes on until it finds no more.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "change/statements.h"

namespace heddle {

using NewNames = std::map<std::string, std::string, std::less<>>;  // single words

struct RenamedNames {
  NewNames to_new;
  NewNames to_old;
  std::set<std::string> gone;  // all that only the old version declares
  // Those that the program may get at by their spelling: they stand in a string, or are
  // given to a macro that makes one of them.
  std::set<std::string> spelled;
};

// What files say that are not given, since they have not changed.
struct NamesElsewhere {
  std::set<std::string> taken;            // words that they use: no new names
  std::set<std::string> kept;             // old names that mean something there still
  std::set<std::string> spelled;          // words of their strings
  std::set<std::string> spelling_macros;  // that use # or ##
};

// `new_paths`: of files that had another one.
RenamedNames find_renamed_names(const std::vector<SourceFile>& before, const std::vector<SourceFile>& after,
                                const std::map<std::string, std::string>& new_paths,
                                const NamesElsewhere& elsewhere);

// Those of `names` that the file declares, or uses other than as a member of something.
std::set<std::string> names_meant(const SourceFile& file, const std::set<std::string>& names);

// Adds the words of a token that is a string.
void add_spelled(std::string_view literal, std::set<std::string>* words);

// Adds macros that make strings or names of what they are given, also through others.
void add_spelling_macros(const std::vector<SourceMacro>& macros, std::set<std::string>* names);

// The text with each identifier replaced that is in `names`.
std::string with_names(std::string_view text, const NewNames& names);
// Functions and what was not understood; other declarations stay as they are.
SourceFile with_names(const SourceFile& file, const NewNames& names);

}  // namespace heddle
