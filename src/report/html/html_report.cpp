#include "report/html/html_report.h"

#include "report/html/page_document.h"
#include "support/check.h"

// viewer/dist/report.html, by bundle.S.
extern "C" {
extern const char heddle_report_page_begin[];
extern const char heddle_report_page_end[];
}

namespace heddle {
namespace {

constexpr std::string_view kOpening = R"(<script type="application/json" id="heddle-report-document">)";
constexpr std::string_view kNothing = "null";

// JSON in which no '<' is left: without it nothing in a script element means anything to a browser. It occurs
// in strings only, where it can be escaped. U+2028 and U+2029 end lines for some readers of JavaScript.
std::string text_for_script(const nlohmann::ordered_json& document) {
  const std::string json =
      document.dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::ordered_json::error_handler_t::replace);
  std::string text;
  text.reserve(json.size() + json.size() / 32);
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = std::string_view(json).substr(i);
    if (json[i] == '<') {
      text += "\\u003c";
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      text += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      i += 2;  // three bytes each
    } else {
      text += json[i];
    }
  }
  return text;
}

}  // namespace

std::string_view html_bundle() {
  return {heddle_report_page_begin, heddle_report_page_end};
}

std::string html_page(const nlohmann::ordered_json& document) {
  const std::string_view bundle = html_bundle();
  const size_t opening = bundle.find(kOpening);
  HEDDLE_CHECK(opening != std::string_view::npos);
  const size_t place = opening + kOpening.size();
  HEDDLE_CHECK(bundle.substr(place).starts_with(kNothing));
  std::string page(bundle.substr(0, place));
  page += text_for_script(document);
  page += bundle.substr(place + kNothing.size());
  return page;
}

std::string write_html_report(const Report& report) {
  return html_page(page_document(report));
}

}  // namespace heddle
