#include "interact/concolic/pass/options.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/Path.h>

namespace heddle::concolic {

using namespace llvm;

PassOptions PassOptions::from_environment() {
  PassOptions options;
  options.is_library_ = std::getenv("HEDDLE_CONCOLIC_LIBRARY") != nullptr;
  if (const char* const own = std::getenv("HEDDLE_CONCOLIC_OWN")) {
    std::istringstream names(own);
    for (std::string name; names >> name;) options.own_functions_.insert(name);
  }
  const char* const watched = std::getenv("HEDDLE_CONCOLIC_WATCH");
  if (watched == nullptr) return options;
  std::ifstream file(watched);
  for (std::string place; std::getline(file, place);) {
    const auto [line_place, column_text] = StringRef(place).rsplit(':');
    const auto [path, line_text] = line_place.rsplit(':');
    unsigned line = 0;
    unsigned column = 0;
    if (line_text.getAsInteger(10, line) || column_text.getAsInteger(10, column)) continue;
    options.lines_[sys::path::filename(path).str()].insert(line);
    options.columns_[line_place.str()].insert(column);
  }
  return options;
}

std::optional<unsigned> PassOptions::watched_column(const DebugLoc& location) const {
  if (lines_.empty() || !location || location.getLine() == 0) return std::nullopt;
  const auto* const scope = cast<DIScope>(location.getScope());
  const auto found = lines_.find(sys::path::filename(scope->getFilename()).str());
  if (found == lines_.end() || found->second.count(location.getLine()) == 0) return std::nullopt;
  SmallString<256> path = scope->getFilename();
  if (!sys::path::is_absolute(path)) {
    path = scope->getDirectory();
    sys::path::append(path, scope->getFilename());
  }
  sys::path::remove_dots(path, true);
  const auto columns = columns_.find((path + ":" + Twine(location.getLine())).str());
  if (columns == columns_.end()) return std::nullopt;
  const auto after = columns->second.upper_bound(location.getCol());
  return after == columns->second.begin() ? 0 : *std::prev(after);
}

}  // namespace heddle::concolic
