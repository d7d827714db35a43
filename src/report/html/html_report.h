// The HTML report: one file that needs no network. The page is built from viewer/ (TypeScript) and compiled
// into heddle; here a report is put into it.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "report/report.h"

namespace heddle {

// The page without a report.
std::string_view html_bundle();

// The page with a document as docs/report-document.md has it. Text of programs under test may be anything: it
// can neither end the element that it is in nor become markup.
std::string html_page(const nlohmann::ordered_json& document);

// For `-r html`.
std::string write_html_report(const Report& report);

}  // namespace heddle
