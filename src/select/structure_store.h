// Structures of programs that were analysed before, kept in files.
//
// A team changes one version again and again, and asks each time. What has to be known of that version is
// little (analysed_program.h), but to find it out takes as long as all that is new.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "select/analysed_program.h"

namespace heddle::select {

// Regions come without their locks: nobody asks which they are.
std::string encode_structure(const ProgramStructure& structure);
// Nothing if the bytes are damaged, or cannot be about this program.
std::unique_ptr<const ProgramStructure> decode_structure(std::string_view bytes,
                                                         const program::Program& program);

// From `folder`, or analysed and stored there. `content` tells programs apart (LoadReport::content). What
// another build of heddle has stored is not used: it may know better or worse. A folder that cannot be
// written costs time only.
std::unique_ptr<const ProgramStructure> known_structure(const program::Program& program, uint64_t content,
                                                        const std::filesystem::path& folder);

}  // namespace heddle::select
