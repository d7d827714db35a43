#include "check/source_names.h"

#include "history/source_tree.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> below(const fs::path& path, const fs::path& folder) {
  fs::path relative = path.lexically_relative(folder);
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return relative;
}

}  // namespace

SourceNames::SourceNames(const fs::path& source, const fs::path& build)
    : source_(real_path(source)), build_(real_path(build)) {}

std::optional<std::string> SourceNames::name_of(const std::string& file) {
  const auto [entry, is_new] = names_.try_emplace(file);
  if (!is_new || file.empty() || file.front() != '/') return entry->second;
  const fs::path path = real_path(file);
  const std::optional<fs::path> built = below(path, build_);
  const std::optional<fs::path> written = below(path, source_);
  // Some projects are built where their sources are.
  if (built && (!written || build_ != source_))
    entry->second = "<build>/" + built->string();
  else if (written)
    entry->second = written->string();
  return entry->second;
}

void name_sites(SourceNames& names, Finding* finding) {
  for (FindingSite& site : finding->sites) {
    if (const std::optional<std::string> name = names.name_of(site.file)) site.file = *name;
  }
}

}  // namespace heddle
