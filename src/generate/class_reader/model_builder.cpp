#include "generate/class_reader/model_builder.h"

#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generate/class_reader/callable_reader.h"
#include "generate/class_reader/class_members.h"
#include "generate/class_reader/factories.h"
#include "generate/class_reader/inner_classes.h"
#include "generate/class_reader/type_table.h"
#include "generate/class_reader/type_traits.h"

namespace heddle::generate {
namespace {

bool can_be_destroyed(clang::Sema& sema, const clang::CXXRecordDecl& record) {
  const clang::CXXDestructorDecl* destructor =
      sema.LookupDestructor(const_cast<clang::CXXRecordDecl*>(&record));
  return destructor != nullptr && !destructor->isDeleted() && destructor->getAccess() == clang::AS_public;
}

// Why code outside of a class can make no object of it by a constructor.
std::string constructor_obstacle(const clang::CXXRecordDecl& record) {
  size_t deleted = 0;
  size_t closed = 0;
  for (const clang::CXXConstructorDecl* constructor : record.ctors()) {
    if (constructor->isCopyOrMoveConstructor()) continue;
    if (constructor->isDeleted()) ++deleted;
    if (constructor->getAccess() != clang::AS_public) ++closed;
  }
  if (closed > 0) return "its constructors are private or protected, and no function gives an object of it";
  if (deleted > 0) return "its constructors are deleted, and no function gives an object of it";
  return "it has no constructor that can be called, and no function gives an object of it";
}

class ModelBuilder {
 public:
  ModelBuilder(clang::Sema& sema, const TypeText& text, const clang::CXXRecordDecl& record)
      : sema_(sema),
        text_(text),
        record_(record),
        callables_(sema, text),
        types_(sema, text, callables_, record) {}

  ClassModel build(const std::string& spelled) {
    const clang::QualType type = sema_.Context.getRecordType(&record_);
    model_.name = text_.of(type);
    if (model_.name == "auto") model_.name = spelled;
    model_.spelled = spelled;
    model_.is_abstract = record_.isAbstract();
    add_constructors();
    for (const clang::NamedDecl* method : public_methods(record_)) {
      const auto kind = method->getDeclName().getNameKind() == clang::DeclarationName::Identifier
                            ? CallableKind::kMethod
                            : CallableKind::kOperator;
      add(callables_.read(*method, kind), model_.methods);
    }
    model_.fields = read_fields(record_, text_);
    InnerClasses inner = read_inner_classes(sema_, record_, text_);
    model_.inner = std::move(inner.fields);
    model_.hidden = std::move(inner.hidden);
    drop_idle_notes();
    model_.types = types_.take();
    model_.is_copyable = is_copy_constructible(sema_, type);
    model_.has_equality = is_equality_comparable(sema_, type);
    return std::move(model_);
  }

 private:
  void add_constructors() {
    const bool can_end = can_be_destroyed(sema_, record_);
    if (!model_.is_abstract && can_end) {
      for (ReadCallable& constructor : read_constructors(sema_, record_, callables_, text_))
        add(std::move(constructor), model_.constructors);
    }
    for (const clang::FunctionDecl* factory : find_factories(record_, !model_.constructors.empty()))
      add(callables_.read(*factory, CallableKind::kFactory), model_.constructors);
    if (!model_.constructors.empty()) return;
    Unusable unusable;
    unusable.signature = model_.name;
    unusable.help = "give `construct` in a pools file: how to make an object";
    if (model_.is_abstract) {
      std::vector<std::string> names;
      for (const clang::CXXMethodDecl* method : pure_virtuals(record_))
        names.push_back(method->getNameAsString());
      unusable.reason = names.empty() ? "it is abstract"
                                      : fmt::format("it is abstract: {} {} pure virtual",
                                                    fmt::join(names, ", "), names.size() == 1 ? "is" : "are");
      unusable.help = "name a class that is derived from it, or give `construct` in a pools file";
    } else {
      unusable.reason =
          can_end ? constructor_obstacle(record_)
                  : "its destructor is private, protected or deleted, and no function gives an object of it";
    }
    model_.unusable.push_back(std::move(unusable));
  }

  // Of overloads one that can be called is enough, and one note for all is.
  void drop_idle_notes() {
    std::set<std::string> known;
    for (const Callable& method : model_.methods) known.insert(method.signature());
    std::erase_if(model_.unusable,
                  [&](const Unusable& note) { return !known.insert(note.signature).second; });
  }

  void add(ReadCallable read, std::vector<Callable>& to) {
    if (!read.obstacle.empty()) {
      model_.unusable.push_back({read.callable.signature(), read.obstacle, read.help});
      return;
    }
    types_.add(read);
    to.push_back(std::move(read.callable));
  }

  clang::Sema& sema_;
  const TypeText& text_;
  const clang::CXXRecordDecl& record_;
  CallableReader callables_;
  TypeTable types_;
  ClassModel model_;
};

}  // namespace

ClassModel build_model(const ParsedHeaders& parsed, const TypeText& text, const clang::CXXRecordDecl& record,
                       const std::string& spelled) {
  return ModelBuilder(parsed.sema, text, record).build(spelled);
}

}  // namespace heddle::generate
