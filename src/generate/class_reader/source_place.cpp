#include "generate/class_reader/source_place.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

namespace heddle::generate {

SourcePlace place_of(const clang::NamedDecl& declaration) {
  const clang::SourceManager& sources = declaration.getASTContext().getSourceManager();
  const clang::PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(declaration.getLocation()));
  if (place.isInvalid()) return {};
  return {place.getFilename(), place.getLine()};
}

}  // namespace heddle::generate
