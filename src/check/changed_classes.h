// Which classes a change touches that are meant for several threads.
//
// Found in the text of both versions: whose member functions, fields or bases differ, or are in a pair of
// accesses that no test covers. Of these, the ones with something that synchronises (a lock, an atomic, …),
// in the class or in what its functions do: the others make no promise that a concurrent test could break.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "change/source_change.h"
#include "support/error.h"

namespace heddle {

struct ChangedClass {
  std::string name;              // qualified
  std::filesystem::path header;  // below the head's tree
};

struct ChangedClasses {
  std::vector<ChangedClass> classes;  // by name
  std::vector<std::string> others;    // touched, but with nothing that synchronises
};

// `functions`: qualified names whose classes count as touched, too. `classes_of` gives the qualified names of
// the classes that a header of the head defines.
ChangedClasses changed_classes(
    const SourceChange& change, const std::set<std::string>& functions,
    const std::filesystem::path& head_tree,
    const std::function<std::vector<std::string>(const std::filesystem::path&)>& classes_of);

}  // namespace heddle
