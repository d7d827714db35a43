// Which file a path means to the program, whose folder holds nothing but the input file.
#pragma once

#include "interact/fast/kernel/machine.h"

namespace heddle::fast {

enum class PathKind { kInputFile, kSystemFile, kNull, kReal };

struct FoundPath {
  PathKind kind;  // kReal: before main() only
  const uint8_t* content;
  uint64_t size;
  uint64_t identity;
};

// 0, or an error; where it is not known what is there, the run ends.
int64_t find_path(Machine* machine, uint64_t folder, uint64_t path, FoundPath* found);

}  // namespace heddle::fast
