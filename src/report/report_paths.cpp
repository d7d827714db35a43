#include "report/report_paths.h"

#include <fmt/format.h>

namespace heddle {

std::optional<std::string> below_root(const Report& report, const std::string& file) {
  if (file.empty() || file.front() == '<') return std::nullopt;  // "<build>/…"
  if (file.front() != '/') return file.starts_with("../") ? std::nullopt : std::optional(file);
  const std::string name = SourceScope{.root = report.root, .changed = nullptr}.name(file);
  return name.front() == '/' ? std::nullopt : std::optional(name);
}

std::string uri_path(const std::string& path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string encoded;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos)
      encoded += c;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

const FindingSite* main_site(const Report& report, const Finding& finding) {
  const FindingSite* any = nullptr;
  for (const FindingSite& site : finding.sites) {
    if (site.file.empty() || site.line == 0) continue;
    if (below_root(report, site.file)) return &site;
    if (any == nullptr) any = &site;
  }
  return any;
}

}  // namespace heddle
