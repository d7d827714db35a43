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
};

// `new_paths`: of files that had another one. `taken`: words that files use that are not given, and that
// therefore are no new names.
RenamedNames find_renamed_names(const std::vector<SourceFile>& before, const std::vector<SourceFile>& after,
                                const std::map<std::string, std::string>& new_paths,
                                const std::set<std::string>& taken);

// The text with each identifier replaced that is in `names`.
std::string with_names(std::string_view text, const NewNames& names);
// Functions and what was not understood; other declarations stay as they are.
SourceFile with_names(const SourceFile& file, const NewNames& names);

}  // namespace heddle
