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
    const size_t colon = place.rfind(':');
    if (colon == std::string::npos) continue;
    const StringRef path = StringRef(place).take_front(colon);
    options.lines_[sys::path::filename(path).str()].insert(
        static_cast<unsigned>(std::strtoul(place.c_str() + colon + 1, nullptr, 10)));
    options.places_.insert(place);
  }
  return options;
}

bool PassOptions::is_watched(const DebugLoc& location) const {
  if (lines_.empty() || !location || location.getLine() == 0) return false;
  const auto* const scope = cast<DIScope>(location.getScope());
  const auto found = lines_.find(sys::path::filename(scope->getFilename()).str());
  if (found == lines_.end() || found->second.count(location.getLine()) == 0) return false;
  SmallString<256> path = scope->getFilename();
  if (!sys::path::is_absolute(path)) {
    path = scope->getDirectory();
    sys::path::append(path, scope->getFilename());
  }
  sys::path::remove_dots(path, true);
  return places_.count((path + ":" + Twine(location.getLine())).str()) != 0;
}

}  // namespace heddle::concolic
