// The interleaving as text: time runs downwards, every thread has a column.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/interleaving.h"
#include "report/report_context.h"
#include "report/text.h"

namespace heddle {

// Below this a column shows no more than the file's name.
inline constexpr size_t kMinColumnWidth = 24;

// How many threads have room next to each other.
size_t columns_that_fit(size_t width);

// Lines without line ends, none longer than `width` unless the columns would become too narrow to read.
std::vector<std::string> render_columns(ReportContext& context, const Interleaving& interleaving,
                                        const FailureStory& story, size_t width, const Paint& paint);

}  // namespace heddle
