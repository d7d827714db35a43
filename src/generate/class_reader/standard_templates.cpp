#include "generate/class_reader/standard_templates.h"

#include <algorithm>

#include <clang/AST/DeclTemplate.h>

#include "generate/class_reader/type_traits.h"

namespace heddle::generate {
namespace {

using clang::QualType;

// How an instance of a class template of the standard library is made up, and of how many of its template
// arguments.
struct StandardTemplate {
  llvm::StringLiteral name;
  TypeKind kind;
  size_t elements;
};
constexpr size_t kAll = 100;
constexpr StandardTemplate kStandardTemplates[] = {
    {"basic_string", TypeKind::kString, 1},
    {"basic_string_view", TypeKind::kStringView, 1},
    {"unique_ptr", TypeKind::kSmartPointer, 1},
    {"shared_ptr", TypeKind::kSmartPointer, 1},
    {"function", TypeKind::kFunction, 1},
    {"move_only_function", TypeKind::kFunction, 1},
    {"copyable_function", TypeKind::kFunction, 1},
    {"packaged_task", TypeKind::kFunction, 1},
    {"vector", TypeKind::kContainer, 1},
    {"deque", TypeKind::kContainer, 1},
    {"list", TypeKind::kContainer, 1},
    {"forward_list", TypeKind::kContainer, 1},
    {"array", TypeKind::kContainer, 1},
    {"initializer_list", TypeKind::kContainer, 1},
    {"valarray", TypeKind::kContainer, 1},
    {"set", TypeKind::kContainer, 1},
    {"multiset", TypeKind::kContainer, 1},
    {"unordered_set", TypeKind::kContainer, 1},
    {"unordered_multiset", TypeKind::kContainer, 1},
    {"map", TypeKind::kContainer, 2},
    {"multimap", TypeKind::kContainer, 2},
    {"unordered_map", TypeKind::kContainer, 2},
    {"unordered_multimap", TypeKind::kContainer, 2},
    {"queue", TypeKind::kContainer, 1},
    {"stack", TypeKind::kContainer, 1},
    {"priority_queue", TypeKind::kContainer, 1},
    {"optional", TypeKind::kValueHolder, 1},
    {"pair", TypeKind::kValueHolder, 2},
    {"tuple", TypeKind::kValueHolder, kAll},
    {"variant", TypeKind::kValueHolder, kAll},
    {"atomic", TypeKind::kValueHolder, 1},
    {"reference_wrapper", TypeKind::kValueHolder, 1},
    {"complex", TypeKind::kValueHolder, 1},
    {"expected", TypeKind::kValueHolder, 1},
    {"duration", TypeKind::kValueHolder, 1},
    {"time_point", TypeKind::kValueHolder, 2},
};

std::vector<QualType> type_arguments(llvm::ArrayRef<clang::TemplateArgument> arguments) {
  std::vector<QualType> types;
  for (const clang::TemplateArgument& argument : arguments) {
    if (argument.getKind() == clang::TemplateArgument::Type) types.push_back(argument.getAsType());
    if (argument.getKind() == clang::TemplateArgument::Pack) {
      for (const QualType type : type_arguments(argument.pack_elements())) types.push_back(type);
    }
  }
  return types;
}

}  // namespace

bool is_standard(const clang::Decl& declaration) {
  const clang::DeclContext* scope = declaration.getDeclContext();
  for (; scope != nullptr; scope = scope->getParent()) {
    if (scope->isStdNamespace()) return true;
  }
  return false;
}

llvm::StringRef standard_name(clang::QualType type) {
  const clang::CXXRecordDecl* record = class_of(type);
  if (record == nullptr || !is_standard(*record) || record->getIdentifier() == nullptr) return "";
  return record->getName();
}

StandardInstance standard_instance(QualType type) {
  const llvm::StringRef name = standard_name(type);
  const auto* known = std::find_if(std::begin(kStandardTemplates), std::end(kStandardTemplates),
                                   [&](const StandardTemplate& each) { return each.name == name; });
  if (name.empty() || known == std::end(kStandardTemplates)) return {};
  const auto* record = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(class_of(type));
  if (record == nullptr) return {};
  StandardInstance instance{known->kind, type_arguments(record->getTemplateArgs().asArray())};
  instance.elements.resize(std::min(instance.elements.size(), known->elements));
  if (name == "time_point") instance.elements.erase(instance.elements.begin());  // its clock
  return instance;
}

}  // namespace heddle::generate
