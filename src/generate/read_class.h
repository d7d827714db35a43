// Reads a class's model from its headers, by heddle-class-reader: a program of its own, so that heddle itself
// does without Clang's libraries and starts fast.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/class_sources.h"
#include "support/error.h"

namespace heddle::generate {

// `name` as the user spells it: "ns::Cache<int, std::string>". An error has the compiler's words, or the
// nearest names if there is no such class.
Expected<ClassModel> read_class(const std::string& name, const ClassSources& sources,
                                const std::filesystem::path& reader);

// Classes that the headers themselves (not what they include) define, qualified.
Expected<std::vector<std::string>> list_classes(const ClassSources& sources,
                                                const std::filesystem::path& reader);

}  // namespace heddle::generate
