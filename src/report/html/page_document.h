// What the page of the HTML report shows, as the JSON document that is put into it (docs/report-document.md).
#pragma once

#include <nlohmann/json.hpp>

#include "report/report.h"

namespace heddle {

// The version of the document. A page refuses those of a later one.
inline constexpr int kPageDocumentVersion = 1;

nlohmann::ordered_json page_document(const Report& report);

}  // namespace heddle
