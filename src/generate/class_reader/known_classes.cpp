#include "generate/class_reader/known_classes.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <clang/AST/DeclTemplate.h>

namespace heddle::generate {
namespace {

using clang::dyn_cast;

constexpr size_t kMostSuggestions = 3;

// Two letters that changed places are two changes.
unsigned most_changes(llvm::StringRef name) {
  return name.size() < 4 ? 1 : std::max(2U, static_cast<unsigned>(name.size()) / 3);
}

using Visitor = std::function<void(const clang::CXXRecordDecl&)>;

void visit_classes(const clang::DeclContext& scope, bool with_nested, const Visitor& visitor) {
  for (const clang::Decl* declaration : scope.decls()) {
    if (const auto* linkage = dyn_cast<clang::LinkageSpecDecl>(declaration))
      visit_classes(*linkage, with_nested, visitor);
    if (const auto* space = dyn_cast<clang::NamespaceDecl>(declaration))
      visit_classes(*space, with_nested, visitor);
    const auto* open = dyn_cast<clang::ClassTemplateDecl>(declaration);
    const auto* record =
        open != nullptr ? open->getTemplatedDecl() : dyn_cast<clang::CXXRecordDecl>(declaration);
    if (record == nullptr || !record->isThisDeclarationADefinition() || record->isImplicit() ||
        llvm::isa<clang::ClassTemplateSpecializationDecl>(record) || record->getDeclName().isEmpty() ||
        record->getAccess() == clang::AS_private || record->getAccess() == clang::AS_protected)
      continue;
    visitor(*record);
    if (with_nested) visit_classes(*record, with_nested, visitor);
  }
}

llvm::StringRef last_part(llvm::StringRef name) {
  const size_t colons = name.rfind("::");
  return colons == llvm::StringRef::npos ? name : name.drop_front(colons + 2);
}

bool is_in_headers(const ParsedHeaders& parsed, const clang::NamedDecl& declaration) {
  const clang::SourceManager& sources = parsed.context().getSourceManager();
  const clang::FileID file = sources.getFileID(sources.getExpansionLoc(declaration.getLocation()));
  return parsed.headers.contains(sources.getFileEntryForID(file));
}

}  // namespace

std::vector<std::string> classes_of_headers(const ParsedHeaders& parsed, const TypeText& text) {
  std::vector<std::string> names;
  visit_classes(*parsed.context().getTranslationUnitDecl(), false, [&](const clang::CXXRecordDecl& record) {
    if (!record.isUnion() && is_in_headers(parsed, record)) names.push_back(text.name(record));
  });
  return names;
}

std::vector<std::string> nearest_classes(const ParsedHeaders& parsed, const TypeText& text,
                                         const std::string& name) {
  const clang::SourceManager& sources = parsed.context().getSourceManager();
  const std::string wanted = without_arguments(name);
  const bool in_standard = wanted.starts_with("std::");
  std::set<std::pair<unsigned, std::string>> found;
  visit_classes(*parsed.context().getTranslationUnitDecl(), true, [&](const clang::CXXRecordDecl& record) {
    if (!in_standard && sources.isInSystemHeader(record.getLocation()) && !is_in_headers(parsed, record))
      return;
    const std::string known = text.name(record);
    const unsigned most = most_changes(wanted);
    unsigned distance = llvm::StringRef(known).edit_distance(wanted, true, most);
    // Whoever leaves out or mistakes a namespace.
    const llvm::StringRef part = last_part(wanted);
    const unsigned most_of_part = most_changes(part);
    const unsigned of_part = last_part(known).edit_distance_insensitive(part, true, most_of_part);
    if (of_part <= most_of_part) distance = std::min(distance, of_part + (of_part == 0 ? 0 : 1));
    if (distance <= most) found.emplace(distance, known);
  });
  std::vector<std::string> names;
  for (const auto& [distance, known] : found) {
    if (names.size() < kMostSuggestions) names.push_back(known);
  }
  return names;
}

const clang::NamedDecl* find_name(const clang::ASTContext& context, llvm::StringRef name) {
  const clang::DeclContext* scope = context.getTranslationUnitDecl();
  name.consume_front("::");
  while (scope != nullptr) {
    const auto [first, rest] = name.split("::");
    const auto identifier = context.Idents.find(first);
    if (identifier == context.Idents.end()) return nullptr;
    const auto found = scope->lookup(identifier->second);
    if (found.empty()) return nullptr;
    if (rest.empty()) return found.front();
    const clang::NamedDecl* outer = found.front();
    if (const auto* alias = dyn_cast<clang::NamespaceAliasDecl>(outer)) outer = alias->getNamespace();
    if (const auto* open = dyn_cast<clang::ClassTemplateDecl>(outer)) outer = open->getTemplatedDecl();
    scope = dyn_cast<clang::DeclContext>(outer);
    name = rest;
  }
  return nullptr;
}

std::string without_arguments(const std::string& name) {
  std::string plain;
  int depth = 0;
  for (const char letter : name) {
    if (letter == '<') ++depth;
    if (depth == 0 && letter != ' ') plain += letter;
    if (letter == '>') --depth;
  }
  return plain;
}

}  // namespace heddle::generate
