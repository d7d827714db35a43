// The interleaving as text: time runs downwards, every thread has a column.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/flow.h"
#include "report/text.h"

namespace heddle {

// Below this a column shows no more than the file's name.
inline constexpr size_t kMinColumnWidth = 24;

// How many threads have room next to each other.
size_t columns_that_fit(size_t width);

// Lines without line ends, none longer than `width` unless the columns would become too narrow to read.
// Lines that the change touches have a + before their text.
std::vector<std::string> render_columns(const Flow& flow, size_t width, const Paint& paint);

}  // namespace heddle
