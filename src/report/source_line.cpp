#include "report/source_line.h"

namespace heddle {

std::string SourceScope::name(const std::string& file) const {
  const std::string folder = root.ends_with('/') ? root : root + "/";
  return !root.empty() && file.starts_with(folder) ? file.substr(folder.size()) : file;
}

bool SourceScope::is_changed(const std::string& name, uint32_t line) const {
  if (changed == nullptr) return false;
  const auto lines = changed->find(name);
  return lines != changed->end() && lines->second.contains(line);
}

}  // namespace heddle
