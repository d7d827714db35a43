// Finds what a class hides in a source: the `struct Impl` that its header only declares.
#pragma once

#include <filesystem>

#include "generate/class_model.h"
#include "generate/class_sources.h"

namespace heddle::generate {

// Reads the sources that seem to define one of the model's hidden classes, until one does. Nothing if none
// does, or none can be read as a header.
Implementation find_implementation(const ClassModel& model, const ClassSources& sources,
                                   const std::filesystem::path& reader);

}  // namespace heddle::generate
