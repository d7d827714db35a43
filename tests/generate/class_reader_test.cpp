// What heddle-class-reader makes of headers: one small header for each behaviour, and one that includes the
// standard library for all behaviours that need it, because reading that takes half a second.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "generate/implementation_reader.h"
#include "generate/read_class.h"

namespace heddle::generate {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class ClassReader : public testing::Test {
 protected:
  static fs::path folder() {
    const char* temporary = std::getenv("TEST_TMPDIR");
    return fs::path(temporary == nullptr ? testing::TempDir() : temporary) / "class_reader";
  }

  static std::string write(const std::string& name, const std::string& text) {
    fs::create_directories(folder());
    std::ofstream(folder() / name) << text;
    return (folder() / name).string();
  }

  static Expected<ClassModel> try_read(const std::string& class_name, const std::string& text,
                                       std::vector<std::string> flags = {}) {
    return read_class(class_name, {.headers = {write("subject.h", text)}, .flags = std::move(flags)},
                      HEDDLE_CLASS_READER);
  }

  static ClassModel read(const std::string& class_name, const std::string& text,
                         std::vector<std::string> flags = {}) {
    const Expected<ClassModel> model = try_read(class_name, text, std::move(flags));
    EXPECT_TRUE(model.has_value()) << model.error().message;
    return model.value_or(ClassModel{});
  }

  static std::string error(const std::string& class_name, const std::string& text) {
    const Expected<ClassModel> model = try_read(class_name, text);
    return model ? "read " + model->name : model.error().message;
  }
};

Names signatures(const std::vector<Callable>& callables) {
  Names names;
  for (const Callable& callable : callables) names.push_back(callable.signature());
  return names;
}

const Callable* find(const std::vector<Callable>& callables, const std::string& signature) {
  for (const Callable& callable : callables) {
    if (callable.signature() == signature) return &callable;
  }
  ADD_FAILURE() << "no " << signature << " among " << testing::PrintToString(signatures(callables));
  static const Callable none;
  return &none;
}

std::string result_of(const ClassModel& model, const std::string& signature) {
  return find(model.methods, signature)->result;
}

// "reason | help"
std::string why_unusable(const ClassModel& model, const std::string& signature) {
  for (const Unusable& each : model.unusable) {
    if (each.signature == signature) return each.reason + " | " + each.help;
  }
  return "usable";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Methods.

TEST_F(ClassReader, TellsOverloadsApart) {
  const ClassModel model = read("Box", R"(struct Box {
    void put(int); void put(const char* text); int& at(unsigned); const int& at(unsigned) const;
  };)");
  EXPECT_EQ(signatures(model.methods),
            (Names{"put(int)", "put(const char*)", "at(unsigned int)", "at(unsigned int)"}));
  EXPECT_EQ(model.methods[2].result, "int&");
  EXPECT_FALSE(model.methods[2].is_const);
  EXPECT_EQ(model.methods[3].result, "const int&");
  EXPECT_TRUE(model.methods[3].is_const);
}

TEST_F(ClassReader, LeavesOutWhatIsNotPublicOrDeleted) {
  const ClassModel model = read("Box", R"(class Box {
    void a();
   protected: void b();
   public: void c(); void d() = delete; ~Box(); Box& operator=(const Box&); static void* operator new(unsigned long);
  };)");
  EXPECT_EQ(signatures(model.methods), (Names{"c()"}));
}

TEST_F(ClassReader, TellsWhereAMethodIsDeclared) {
  const ClassModel model = read("Box", "struct Box {\n  void a();\n  static int b() noexcept;\n};");
  EXPECT_EQ(model.methods[0].line, 2U);
  EXPECT_EQ(fs::path(model.methods[0].file).filename(), "subject.h");
  EXPECT_FALSE(model.methods[0].is_noexcept);
  EXPECT_TRUE(model.methods[1].is_static);
  EXPECT_TRUE(model.methods[1].is_noexcept);
}

TEST_F(ClassReader, KeepsDefaultArgumentsAsTheyAreWritten) {
  const ClassModel model = read("ns::Box", R"(namespace ns { constexpr int kMost = 8;
    struct Box { explicit Box(int size = kMost * 2); void put(int key, bool now = true); }; })");
  ASSERT_EQ(model.constructors.size(), 1U);
  EXPECT_EQ(model.constructors[0].parameters[0].default_value, "kMost * 2");
  EXPECT_EQ(model.methods[0].parameters[0].name, "key");
  EXPECT_EQ(model.methods[0].parameters[0].default_value, "");
  EXPECT_EQ(model.methods[0].parameters[1].default_value, "true");
}

TEST_F(ClassReader, KeepsDefaultsOfTemplatesThatAreLists) {
  const ClassModel model = read("Box<int>", R"(struct Options { int a; };
    template <class T> struct Box { void put(T key, Options options = {}, Options more = Options{1}); };)");
  EXPECT_EQ(model.methods[0].parameters[1].default_value, "{}");
  EXPECT_EQ(model.methods[0].parameters[2].default_value, "Options{1}");
}

TEST_F(ClassReader, ReadsOperatorsAndConversions) {
  const ClassModel model = read("Box", R"(struct Box {
    int& operator[](int); Box& operator+=(int); Box& operator++(); bool operator<(const Box&) const;
    int operator()(int, int) const; explicit operator bool() const; Box& operator=(int);
  };)");
  EXPECT_EQ(signatures(model.methods),
            (Names{"operator[](int)", "operator+=(int)", "operator++()", "operator<(const Box&)",
                   "operator()(int, int)", "operator bool()"}));
  for (const Callable& method : model.methods) EXPECT_EQ(method.kind, CallableKind::kOperator) << method.name;
}

TEST_F(ClassReader, SaysThatAMethodNeedsAnObjectThatIsGivenUp) {
  const ClassModel model = read("Box", "struct Box { int take() &&; int look() const &; };");
  EXPECT_EQ(signatures(model.methods), (Names{"look()"}));
  EXPECT_TRUE(contains(why_unusable(model, "take()"), "given up"));
}

TEST_F(ClassReader, MarksFunctionsWithAnyNumberOfArguments) {
  const ClassModel model = read("Box", R"(struct Box {
    void log(const char* format, ...); template <class... Values> void emplace(int key, Values&&... values);
  };)");
  EXPECT_EQ(signatures(model.methods), (Names{"log(const char*, ...)", "emplace(int, ...)"}));
}

TEST_F(ClassReader, FindsOutResultsThatTheBodyDecides) {
  const ClassModel model = read("Box", R"(struct Box {
    auto size() const { return 3UL; } auto& item() { return item_; } decltype(auto) copy() { return (item_); }
    int item_;
  };)");
  EXPECT_EQ(result_of(model, "size()"), "unsigned long");
  EXPECT_EQ(result_of(model, "item()"), "int&");
  EXPECT_EQ(result_of(model, "copy()"), "int&");
}

TEST_F(ClassReader, ReadsWhatMacrosDeclare) {
  const ClassModel model = read("Box", R"(
#define PROPERTY(type, name) type get_##name() const; void set_##name(type value = type())
struct Box { PROPERTY(int, size); };)");
  EXPECT_EQ(signatures(model.methods), (Names{"get_size()", "set_size(int)"}));
  EXPECT_NE(model.methods[1].parameters[0].default_value, "");
}

// Inheritance.

TEST_F(ClassReader, ReadsInheritedMethodsWithTheirOwner) {
  const ClassModel model = read("ns::Derived", R"(namespace ns {
    struct Top { void a(); }; struct Base : Top { void b(); virtual void v(); };
    struct Derived : Base { void c(); void v() override; }; })");
  EXPECT_EQ(signatures(model.methods), (Names{"c()", "v()", "b()", "a()"}));
  EXPECT_EQ(find(model.methods, "a()")->owner, "ns::Top");
  EXPECT_EQ(find(model.methods, "v()")->owner, "ns::Derived");
}

TEST_F(ClassReader, LeavesOutHiddenMethods) {
  const ClassModel model = read("Derived", R"(
    struct Base { void put(int); void put(char); void get(); void size(); };
    class Derived : public Base { int get; public: void put(bool); };)");
  EXPECT_EQ(signatures(model.methods), (Names{"put(bool)", "size()"}));
}

TEST_F(ClassReader, ReadsWhatUsingDeclarationsBringIn) {
  const ClassModel model = read("Derived", R"(
    struct Base { void put(int); void put(char); void get(); void other(); };
    class Derived : Base { public: using Base::put; using Base::get; void put(int); };)");
  EXPECT_EQ(signatures(model.methods), (Names{"put(int)", "put(char)", "get()"}));
  EXPECT_EQ(find(model.methods, "put(int)")->owner, "Derived");
  EXPECT_EQ(find(model.methods, "put(char)")->owner, "Base");
}

TEST_F(ClassReader, LeavesOutBasesThatAreNotPublic) {
  const ClassModel model = read("Derived", R"(struct Base { void a(); }; struct Other { void b(); };
    class Derived : Base, protected Other { public: void c(); };)");
  EXPECT_EQ(signatures(model.methods), (Names{"c()"}));
}

TEST_F(ClassReader, ReadsAVirtualBaseOnce) {
  const ClassModel model = read("Both", R"(struct Top { void a(); int top; }; struct Left : virtual Top {};
    struct Right : virtual Top {}; struct Both : Left, Right {};)");
  EXPECT_EQ(signatures(model.methods), (Names{"a()"}));
}

TEST_F(ClassReader, ReadsFieldsOfBasesToo) {
  const ClassModel model = read("Derived", R"(class Base { int count_; static int all; };
    class Derived : public Base { mutable long last_; const char* name; };)");
  ASSERT_EQ(model.fields.size(), 3U);
  EXPECT_EQ(model.fields[0].name + " " + model.fields[0].type + " " + model.fields[0].owner,
            "count_ int Base");
  EXPECT_EQ(model.fields[1].name + " " + model.fields[1].type, "last_ long");
  EXPECT_EQ(model.fields[2].type, "const char*");
}

TEST_F(ClassReader, ReadsTheClassesThatFieldsLeadTo) {
  const ClassModel model =
      read("shop::Queue", R"(namespace std { template <typename T> class vector { T* begin; }; }
    struct Lock { bool held; }; struct Later; union Either { Lock* lock; int number; }; struct Unused { int a; };
    namespace shop { template <typename T> struct Cell { T value; Cell* next; };
    class Queue { struct Base { int id_; }; class Part : Base { long size_; Queue* queue_; const Lock lock_[2][3]; };
      std::vector<Part> parts_; std::vector<Cell<char>>* cells_; Later* later_; Either either_; Queue* above_;
      struct { Unused unused; } nameless_; Unused get(Unused); }; })");
  const auto fields = [&](const std::string& name) {
    Names names;
    if (!model.inner.contains(name)) return names;
    for (const Field& field : model.inner.at(name)) names.push_back(field.owner + " " + field.name);
    return names;
  };
  EXPECT_EQ(model.inner.size(), 3U);
  EXPECT_EQ(fields("Lock"), (Names{"Lock held"}));
  EXPECT_EQ(fields("shop::Cell<char>"), (Names{"shop::Cell<char> value", "shop::Cell<char> next"}));
  EXPECT_EQ(fields("shop::Queue::Part"), (Names{"shop::Queue::Base id_", "shop::Queue::Part size_",
                                                "shop::Queue::Part queue_", "shop::Queue::Part lock_"}));
}

TEST_F(ClassReader, FindsInSourcesWhatHeadersOnlyDeclare) {
  const std::string header = write("hidden.h", R"(#pragma once
    struct Other; struct Never;
    class Queue { struct Impl; Impl* impl_; Other* other_; Never* never_; public: void put(); };)");
  const std::string caller = write("caller.cpp", "#include \"hidden.h\"\nvoid call(struct Impl* impl) { }");
  const std::string source = write("hidden.cpp", R"(#include "hidden.h"
    namespace { struct Item { int number; }; }
    struct Queue::Impl { Item item; };
    void Queue::put() {})");
  ClassSources sources{.headers = {header}, .flags = {}, .sources = {caller, source}};
  const Expected<ClassModel> model = read_class("Queue", sources, HEDDLE_CLASS_READER);
  ASSERT_TRUE(model);
  EXPECT_TRUE(model->inner.empty());
  EXPECT_EQ(model->hidden, (Names{"Queue::Impl", "Other", "Never"}));
  const Implementation found = find_implementation(*model, sources, HEDDLE_CLASS_READER);
  EXPECT_EQ(found.source, source);
  EXPECT_EQ(found.inner.size(), 2U);
  EXPECT_TRUE(found.inner.contains("Queue::Impl") && found.inner.contains("Item"));
  sources.sources = {caller};
  EXPECT_EQ(find_implementation(*model, sources, HEDDLE_CLASS_READER).source, "");
}

// How objects are made.

TEST_F(ClassReader, ReadsConstructorsThatNeitherCopyNorMove) {
  const ClassModel model = read("Box", R"(class Box { Box(char); public:
    Box(); explicit Box(int size); Box(const Box&); Box(Box&&); Box(bool) = delete; };)");
  EXPECT_EQ(signatures(model.constructors), (Names{"Box()", "Box(int)"}));
  EXPECT_EQ(model.constructors[1].result, "Box");
  EXPECT_TRUE(model.is_copyable);
}

TEST_F(ClassReader, KnowsImplicitConstructors) {
  EXPECT_EQ(signatures(read("Box", "class Box { int size_; };").constructors), (Names{"Box()"}));
}

TEST_F(ClassReader, ReadsInheritedConstructors) {
  const ClassModel model =
      read("Derived", R"(struct Base { Base(); Base(int); Base(char, int); Base(const Base&); };
    struct Derived : Base { using Base::Base; explicit Derived(int); };)");
  EXPECT_EQ(signatures(model.constructors), (Names{"Derived(char, int)", "Derived(int)", "Derived()"}));
}

TEST_F(ClassReader, FindsFactoriesOfAClassWithoutPublicConstructors) {
  const ClassModel model = read("ns::Registry", R"(namespace ns {
    class Registry { Registry(); public: static Registry& instance(); static const Registry& constant();
                     Registry(const Registry&) = delete; };
    Registry* open(const char* path); void use(Registry&); Registry* same(Registry*); }
    ns::Registry make_registry(int);)");
  EXPECT_EQ(signatures(model.constructors),
            (Names{"ns::Registry::instance()", "ns::open(const char*)", "make_registry(int)"}));
  EXPECT_EQ(model.constructors[0].kind, CallableKind::kFactory);
  EXPECT_EQ(signatures(model.methods), (Names{"instance()", "constant()"}));
  EXPECT_TRUE(model.unusable.empty());
}

TEST_F(ClassReader, TakesNoBorrowedObjectWhereConstructorsAre) {
  const ClassModel model =
      read("Box", "struct Box { Box(int); static Box& shared(); static Box of(int, int); };");
  EXPECT_EQ(signatures(model.constructors), (Names{"Box(int)", "Box::of(int, int)"}));
}

TEST_F(ClassReader, SaysWhyNoObjectCanBeMade) {
  const ClassModel closed = read("Box", "class Box { Box(); Box(int); };");
  EXPECT_TRUE(contains(why_unusable(closed, "Box"), "constructors are private"))
      << why_unusable(closed, "Box");
  EXPECT_TRUE(contains(why_unusable(closed, "Box"), "`construct`"));
  const ClassModel deleted = read("Box", "struct Box { Box() = delete; };");
  EXPECT_TRUE(contains(why_unusable(deleted, "Box"), "deleted")) << why_unusable(deleted, "Box");
}

TEST_F(ClassReader, NeedsObjectsThatCanBeDestroyed) {
  const ClassModel model = read("Box", "class Box { ~Box(); public: Box(); };");
  EXPECT_TRUE(model.constructors.empty());
  EXPECT_TRUE(contains(why_unusable(model, "Box"), "destructor is private")) << why_unusable(model, "Box");
  const ClassModel counted = read("Box", "class Box { ~Box(); public: Box(); static Box* make(); };");
  EXPECT_EQ(signatures(counted.constructors), (Names{"Box::make()"}));
}

TEST_F(ClassReader, SaysWhatKeepsAnAbstractClassFromBeingUsed) {
  const ClassModel model = read("Base", R"(struct Top { virtual void a() = 0; virtual int b() const = 0; };
    struct Base : Top { Base(); void a() override; virtual void c(int) = 0; virtual ~Base() = 0; };)");
  EXPECT_TRUE(model.is_abstract);
  EXPECT_TRUE(model.constructors.empty());
  EXPECT_TRUE(contains(why_unusable(model, "Base"), "b, c are pure virtual") ||
              contains(why_unusable(model, "Base"), "c, b are pure virtual"))
      << why_unusable(model, "Base");
  EXPECT_TRUE(contains(why_unusable(model, "Base"), "derived"));
}

// Types.

TEST_F(ClassReader, ResolvesAliasesAndQualifiesNames) {
  const ClassModel model = read("ns::Box", R"(namespace ns { inline namespace v1 { struct Key {}; }
    namespace { struct Hidden {}; } typedef struct { int x; } Plain; using Id = unsigned;
    struct Box { using Item = const Key*; typedef Id Number; struct Inner {};
      void a(Item); void b(Number&); void c(Inner, const Hidden&); void d(Plain); }; })");
  EXPECT_EQ(signatures(model.methods), (Names{"a(const ns::Key*)", "b(unsigned int&)",
                                              "c(ns::Box::Inner, const ns::Hidden&)", "d(ns::Plain)"}));
}

TEST_F(ClassReader, WritesDeclaratorsThatCppUnderstands) {
  const ClassModel model = read("Box", R"(struct Box {
    void a(int (&numbers)[3]); void b(void (*call)(int, char), int numbers[]); void c(int Box::*field);
    void d(int (Box::*method)(char) const); void e(const int* const* values); void f(void (&call)());
  };)");
  EXPECT_EQ(signatures(model.methods),
            (Names{"a(int(&)[3])", "b(void(*)(int, char), int*)", "c(int Box::*)",
                   "d(int(Box::*)(char) const)", "e(const int* const*)", "f(void(&)())"}));
}

TEST_F(ClassReader, KnowsNumbers) {
  const ClassModel model = read("Box", R"(struct Box {
    void put(bool, char, signed char, unsigned char, short, unsigned long long, float, double, wchar_t); };)");
  const auto& types = model.types;
  EXPECT_EQ(types.at("bool").kind, TypeKind::kBool);
  EXPECT_EQ(types.at("char").kind, TypeKind::kCharacter);
  EXPECT_EQ(types.at("wchar_t").kind, TypeKind::kCharacter);
  EXPECT_EQ(types.at("signed char").kind, TypeKind::kInteger);
  EXPECT_EQ(types.at("unsigned char").bits, 8U);
  EXPECT_FALSE(types.at("unsigned char").is_signed);
  EXPECT_EQ(types.at("short").bits, 16U);
  EXPECT_TRUE(types.at("short").is_signed);
  EXPECT_EQ(types.at("unsigned long long").bits, 64U);
  EXPECT_EQ(types.at("float").kind, TypeKind::kFloating);
}

TEST_F(ClassReader, TakesOnlyCharactersForText) {
  const ClassModel model = read("Box", "struct Box { void put(const char*, const unsigned char*, char*); };");
  EXPECT_EQ(model.types.at("const char*").kind, TypeKind::kStringView);
  EXPECT_EQ(model.types.at("const unsigned char*").kind, TypeKind::kPointer);
  EXPECT_EQ(model.types.at("char*").kind, TypeKind::kPointer);
}

TEST_F(ClassReader, KnowsEnumerators) {
  const ClassModel model = read("ns::Box", R"(namespace ns { enum class Mode : char { kFast, kSlow };
    struct Box { enum Level { low, high }; void set(Mode, Level); }; })");
  EXPECT_EQ(model.types.at("ns::Mode").kind, TypeKind::kEnum);
  EXPECT_EQ(model.types.at("ns::Mode").enumerators, (Names{"ns::Mode::kFast", "ns::Mode::kSlow"}));
  EXPECT_EQ(model.types.at("ns::Box::Level").enumerators,
            (Names{"ns::Box::Level::low", "ns::Box::Level::high"}));
}

TEST_F(ClassReader, KnowsTheClassItself) {
  const ClassModel model = read("Box", R"(struct Box { void merge(const Box& other); void swap(Box&);
    void link(Box* next); bool operator==(const Box&) const; };)");
  EXPECT_EQ(model.types.at("Box").kind, TypeKind::kSubject);
  EXPECT_EQ(model.types.at("Box*").elements, (Names{"Box"}));
  EXPECT_TRUE(model.has_equality);
}

TEST_F(ClassReader, KnowsWhetherObjectsCanBeCompared) {
  EXPECT_FALSE(read("Box", "struct Box {};").has_equality);
  EXPECT_TRUE(read("ns::Box", R"(namespace ns { struct Box {};
    bool operator==(const Box&, const Box&); })")
                  .has_equality);
  EXPECT_FALSE(read("Box", "struct Box { bool operator==(const Box&) const = delete; };").has_equality);
  EXPECT_FALSE(read("Box", "struct Box { bool operator==(Box&); };").has_equality);
}

TEST_F(ClassReader, KnowsHowArgumentsOfClassTypeAreMade) {
  const ClassModel model = read("Box", R"(
    struct Size { explicit Size(long bytes); }; struct Key { Key(Size, int = 0); Key(const Key&) = delete; };
    struct Options { int most = 1; bool fast; };
    struct Box { void put(const Key&); void set(Options); };)");
  const TypeModel& key = model.types.at("Key");
  EXPECT_EQ(key.kind, TypeKind::kClass);
  EXPECT_EQ(signatures(key.constructors), (Names{"Key(Size, int)"}));
  EXPECT_FALSE(key.is_copyable);
  EXPECT_FALSE(key.is_default_constructible);
  EXPECT_EQ(signatures(model.types.at("Size").constructors), (Names{"Size(long)"}));
  EXPECT_TRUE(model.types.contains("long"));
  EXPECT_EQ(signatures(model.types.at("Options").constructors), (Names{"Options()", "Options(int, bool)"}));
  EXPECT_TRUE(model.types.at("Options").is_default_constructible);
}

TEST_F(ClassReader, KnowsWhatAnArgumentOfAnAbstractClassHasToImplement) {
  const ClassModel model = read("Box", R"(
    struct Listener { virtual ~Listener(); virtual void changed(int) noexcept = 0; virtual bool ready() const; };
    struct Named : Listener { virtual const char* name() const = 0; }; struct Box { void listen(Named*); };)");
  const TypeModel& named = model.types.at("Named");
  EXPECT_TRUE(named.is_abstract);
  ASSERT_EQ(signatures(named.pure_virtuals), (Names{"changed(int)", "name()"}));
  EXPECT_TRUE(named.pure_virtuals[0].is_noexcept);
  EXPECT_TRUE(named.pure_virtuals[1].is_const);
  EXPECT_TRUE(model.types.contains("const char*"));
}

TEST_F(ClassReader, NamesNoTypeThatIsPrivate) {
  const ClassModel model = read("Box", R"(class Box { struct Node { int x; }; enum Kind { a };
   public: Node first() const; const Node* next() const; void put(Node); auto later() { return [] {}; } };)");
  EXPECT_EQ(result_of(model, "first()"), "auto");
  EXPECT_EQ(result_of(model, "next()"), "auto");
  EXPECT_EQ(result_of(model, "later()"), "auto");
  EXPECT_EQ(model.types.at("auto").kind, TypeKind::kOther);
  EXPECT_TRUE(contains(why_unusable(model, "put(Box::Node)"), "cannot be named"));
}

TEST_F(ClassReader, DoesNotNeedTypesThatAreOnlyDeclared) {
  const ClassModel model = read("Box", "class Later; struct Box { void put(const Later&); Later* get(); };");
  EXPECT_EQ(signatures(model.methods), (Names{"put(const Later&)", "get()"}));
  EXPECT_TRUE(model.types.at("Later").constructors.empty());
  EXPECT_FALSE(model.types.at("Later").is_copyable);
}

// Templates.

TEST_F(ClassReader, ReadsAnInstanceOfATemplate) {
  const ClassModel model = read("ns::Ring<ns::Item, 4>", R"(namespace ns { struct Item {};
    template <class T, unsigned kSize, class Policy = T*> struct Ring { explicit Ring(T first = T());
      struct Slot { T value; }; bool push(T value); Slot at(unsigned) const; const Ring& self() const; }; })");
  EXPECT_EQ(model.name, "ns::Ring<ns::Item, 4>");
  EXPECT_EQ(signatures(model.methods), (Names{"push(ns::Item)", "at(unsigned int)", "self()"}));
  EXPECT_EQ(result_of(model, "at(unsigned int)"), "ns::Ring<ns::Item, 4>::Slot");
  EXPECT_EQ(result_of(model, "self()"), "const ns::Ring<ns::Item, 4>&");
  EXPECT_EQ(model.constructors[0].parameters[0].default_value, "T()");
}

TEST_F(ClassReader, ReadsAClassThroughAnAlias) {
  const ClassModel model = read("IntRing", R"(template <class T> struct Ring { void push(T); };
    using IntRing = Ring<int>;)");
  EXPECT_EQ(model.name, "Ring<int>");
  EXPECT_EQ(model.spelled, "IntRing");
  EXPECT_EQ(signatures(model.methods), (Names{"push(int)"}));
}

TEST_F(ClassReader, ReadsMethodTemplates) {
  const ClassModel model = read("Box", R"(template <class T> struct List {};
    struct Box { template <class T> void put(const T& value); template <class T> void fill(T& into);
      template <class T> T get(const char*) const; template <class T> void add(List<T> items);
      template <class T, class U = int> auto mix(T&& value, U other = {}); };)");
  EXPECT_EQ(signatures(model.methods),
            (Names{"put(auto)", "fill(auto&)", "add(List<int>)", "mix(auto, auto)"}));
  EXPECT_EQ(model.types.at("auto").kind, TypeKind::kTemplateParameter);
  EXPECT_TRUE(contains(why_unusable(model, "get(const char*)"), "T cannot be deduced"));
  EXPECT_TRUE(contains(why_unusable(model, "get(const char*)"), "object.get<"));
}

TEST_F(ClassReader, SeesHowTemplateParametersAreCalled) {
  const ClassModel model = read("Box<char>", R"(template <class T> struct Box {
    template <class F> void for_each(F f) { for (int i = 0; i < 2; ++i) f(i, item_); }
    template <class F> T* find(F&& test) { return !static_cast<F&&>(test)(item_) ? nullptr : &item_; }
    template <class F> int with(F action);
    template <class F> void later(F stored) { keep(stored); }
    template <class F> static void keep(F);
    T item_; };
    template <class T> template <class F> int Box<T>::with(F action) { return action(); })");
  EXPECT_EQ(signatures(model.methods), (Names{"for_each(auto:void(int, auto))", "find(auto:bool(auto))",
                                              "with(auto:int())", "later(auto)", "keep(auto)"}));
  const TypeModel& callable = model.types.at("auto:void(int, auto)");
  EXPECT_EQ(callable.kind, TypeKind::kCallable);
  EXPECT_EQ(callable.elements, (Names{"void", "int", "auto"}));
}

TEST_F(ClassReader, FollowsTemplateParametersThatArePassedOn) {
  const ClassModel model = read("Box", R"(namespace std { template <class T> T&& move(T& value); }
    struct Box {
    template <class F> void each(F&& f) const { lock(); each_unlocked(f, 1); }
    template <class F> void deferred(F f) { auto task = [g = std::move(f)] { g(1, true); }; }
    template <class F> void renamed(F& f) { auto& g = f; if (g()) lock(); }
    template <class F> void endless(F f) { endless(f); }
   private: void lock() const;
    template <class F> void each_unlocked(F& f, int count) const { f(count); } };)");
  EXPECT_EQ(signatures(model.methods), (Names{"each(auto:void(int))", "deferred(auto:void(int, bool))",
                                              "renamed(auto:bool())", "endless(auto)"}));
}

TEST_F(ClassReader, NotesEachObstacleOnceAndNoneThatAnOverloadTakesAway) {
  const ClassModel model = read(
      "Box", R"(struct Box { int& value() &; int&& value() &&; void take() &&; void take() const &&; };)");
  EXPECT_EQ(signatures(model.methods), (Names{"value()"}));
  ASSERT_EQ(model.unusable.size(), 1U);
  EXPECT_EQ(model.unusable[0].signature, "take()");
}

TEST_F(ClassReader, LeavesOutMethodsWhoseRequirementsAreNotMet) {
  const ClassModel model = read("Box<int>", R"(
    template <class T> concept Small = sizeof(T) == 1; template <class T> concept Large = !Small<T>;
    template <class T> struct Box { void a() requires Small<T>; void b() requires Large<T>;
      void c(Large auto value); };)",
                                {"-std=c++20"});
  EXPECT_EQ(signatures(model.methods), (Names{"b()", "c(auto)"}));
  EXPECT_TRUE(contains(why_unusable(model, "a()"), "requirements are not met"));
}

// What cannot be read.

TEST_F(ClassReader, NamesTheNearestClasses) {
  const std::string header = "namespace app { struct Cache {}; struct Queue {}; } struct Cabinet {};";
  EXPECT_TRUE(contains(error("Cache", header), "did you mean app::Cache?")) << error("Cache", header);
  EXPECT_TRUE(contains(error("app::Cahce", header), "did you mean app::Cache?"))
      << error("app::Cahce", header);
  EXPECT_TRUE(contains(error("other::queue", header), "did you mean app::Queue?"))
      << error("other::queue", header);
  EXPECT_TRUE(contains(error("Elephant", header), "define app::Cache, app::Queue, Cabinet"))
      << error("Elephant", header);
  EXPECT_TRUE(contains(error("Cache<int>", header), "did you mean app::Cache?"))
      << error("Cache<int>", header);
}

TEST_F(ClassReader, GivesTheCompilersWordsForAHeaderThatDoesNotCompile) {
  const std::string words = error("Box", "struct Box {\n  Unknown item;\n};\n");
  EXPECT_TRUE(contains(words, "subject.h:2:3: error: unknown type name 'Unknown'")) << words;
  const std::string missing = error("Box", "#include \"not_there.h\"\nstruct Box {};");
  EXPECT_TRUE(contains(missing, "'not_there.h' file not found")) << missing;
  const Expected<ClassModel> nothing =
      read_class("Box", {.headers = {"no_such_header.h"}}, HEDDLE_CLASS_READER);
  ASSERT_FALSE(nothing.has_value());
  EXPECT_TRUE(contains(nothing.error().message, "'no_such_header.h' file not found"))
      << nothing.error().message;
}

TEST_F(ClassReader, SaysWhichArgumentsATemplateWants) {
  const std::string header =
      "namespace ns { template <class Key, int kSize, class Hash = Key> struct Cache { Key k; }; }";
  const std::string words = error("ns::Cache", header);
  EXPECT_TRUE(contains(words, "<class Key, int kSize, class Hash = Key>")) << words;
  EXPECT_TRUE(contains(words, "\"ns::Cache<int, 8>\"")) << words;
  EXPECT_TRUE(contains(error("ns::Cache<int>", header), "too few template arguments"))
      << error("ns::Cache<int>", header);
}

TEST_F(ClassReader, SaysThatAnInstanceDoesNotCompile) {
  const std::string words = error("Box<void>", "template <class T> struct Box {\n  T value;\n};");
  EXPECT_TRUE(contains(words, "subject.h:2:5: error: field has incomplete type 'void'")) << words;
}

TEST_F(ClassReader, SaysThatAClassIsOnlyDeclared) {
  EXPECT_TRUE(contains(error("ns::Box", "namespace ns { class Box; }"), "ns::Box is only declared, at "));
}

TEST_F(ClassReader, SaysWhatIsNotAClass) {
  const std::string header =
      R"(namespace ns { enum Mode { a }; using Number = int; void open(); int limit; union Any {}; })";
  EXPECT_TRUE(contains(error("ns::Mode", header), "is an enumeration, not a class"));
  EXPECT_TRUE(contains(error("ns::Number", header), "another name for int"));
  EXPECT_TRUE(contains(error("ns::open", header), "is a function"));
  EXPECT_TRUE(contains(error("ns::limit", header), "is a variable"));
  EXPECT_TRUE(contains(error("ns::Any", header), "is a union"));
  EXPECT_TRUE(contains(error("ns", header), "is a namespace"));
}

TEST_F(ClassReader, IgnoresFlagsThatDoNotChangeWhatAHeaderMeans) {
  const ClassModel model = read(
      "Box", "#ifdef WITH_SIZE\nstruct Box { int size(long long) { int unused; } };\n#endif",
      {"-DWITH_SIZE", "-fno-such-flag", "-Wall", "-Werror", "-O2", "-c", "-o", "x.o", "-MD", "-lm", "-g3"});
  EXPECT_EQ(signatures(model.methods), (Names{"size(long long)"}));
}

TEST_F(ClassReader, ListsTheClassesOfTheHeadersThemselves) {
  write("included.h", "struct Included {};");
  const std::string header = write("listed.h", R"(#include "included.h"
    namespace ns { class First { struct Inner {}; }; template <class T> struct Second {}; class Declared; enum E {}; }
    struct Third {}; void function();)");
  const auto classes = list_classes({.headers = {header}}, HEDDLE_CLASS_READER);
  ASSERT_TRUE(classes.has_value()) << classes.error().message;
  EXPECT_EQ(*classes, (Names{"ns::First", "ns::Second", "Third"}));
}

// With the standard library.

class ClassReaderWithLibrary : public ClassReader {
 protected:
  static const ClassModel& model() {
    static const ClassModel read_once = read("app::Store<std::string>", R"(
#include <chrono>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>
namespace app {
struct Owners { std::vector<std::unique_ptr<int>> all; };
struct Users { std::vector<std::shared_ptr<Owners>> all; };
struct Plugin { virtual ~Plugin() = default; virtual std::string name() const = 0; };
template <class Value> class Store {
 public:
  using Map = std::map<int, Value>;
  Store() = default;
  static std::unique_ptr<Store> open(std::string_view path);
  static std::shared_ptr<Store> share();
  void put(int key, Value value);
  std::optional<Value> get(int key) const;
  typename Map::const_iterator begin() const;
  void erase(typename Map::iterator at);
  void all(const std::vector<Value>& values, std::unordered_map<Value, std::vector<int>> index);
  void copy(const Owners& owners, const Users& users);
  void own(std::unique_ptr<Plugin> plugin, std::vector<std::unique_ptr<Plugin>> more);
  void on(std::function<bool(const Value&, int)> callback, void (*plain)(int));
  bool wait(std::chrono::milliseconds most, std::chrono::steady_clock::time_point until);
  void mix(std::pair<int, Value>, std::tuple<char, long>, std::variant<int, Value>, std::initializer_list<int>);
  template <std::invocable<const Value&> F> void visit(F f);
  template <class F> requires std::predicate<F, int, Value> void filter(F f);
  template <class F> bool any(F f) const { return std::any_of(map_.begin(), map_.end(), f); }
  template <class F> void submit(F&& f) { tasks_.emplace_back(std::forward<F>(f)); }
  template <class F> void keep(F f) { std::function<bool(long)> kept = std::move(f); }
  template <class F> void invoke(F&& f) { std::invoke(std::forward<F>(f), 1); }
  auto operator<=>(const Store&) const = default;
  bool operator==(const Store&) const = default;
  std::size_t size() const;
  friend Store merge(const Store&, const Store&);
 private:
  Map map_;
  static std::vector<std::function<int(char)>> tasks_;
};
template <class Value> Store<Value> none();
Store<std::string> make_store(int);
})",
                                             {"-std=c++20"});
    return read_once;
  }
  static const TypeModel& type(const std::string& name) {
    static const TypeModel none;
    const auto found = model().types.find(name);
    if (found == model().types.end()) ADD_FAILURE() << "no type " << name;
    return found == model().types.end() ? none : found->second;
  }
};

TEST_F(ClassReaderWithLibrary, NamesTypesAsPeopleDo) {
  EXPECT_EQ(model().name, "app::Store<std::string>");
  EXPECT_EQ(result_of(model(), "get(int)"), "std::optional<std::string>");
  EXPECT_EQ(result_of(model(), "size()"), "unsigned long");
  find(model().methods, "put(int, std::string)");
  find(model().methods,
       "wait(std::chrono::milliseconds, std::chrono::time_point<std::chrono::steady_clock, "
       "std::chrono::nanoseconds>)");
}

TEST_F(ClassReaderWithLibrary, FindsFactoriesThatGiveSmartPointersAndValues) {
  EXPECT_EQ(signatures(model().constructors),
            (Names{"Store()", "app::Store<std::string>::open(std::string_view)",
                   "app::Store<std::string>::share()", "app::make_store(int)"}));
  EXPECT_EQ(model().constructors[1].result, "std::unique_ptr<app::Store<std::string>>");
}

TEST_F(ClassReaderWithLibrary, KnowsContainersAndTheirElements) {
  EXPECT_EQ(type("std::string").kind, TypeKind::kString);
  EXPECT_EQ(type("std::string_view").kind, TypeKind::kStringView);
  EXPECT_EQ(type("std::vector<std::string>").kind, TypeKind::kContainer);
  EXPECT_EQ(type("std::vector<std::string>").elements, (Names{"std::string"}));
  EXPECT_EQ(type("std::unordered_map<std::string, std::vector<int>>").elements,
            (Names{"std::string", "std::vector<int>"}));
  EXPECT_EQ(type("std::vector<int>").elements, (Names{"int"}));
  EXPECT_EQ(type("std::initializer_list<int>").kind, TypeKind::kContainer);
}

TEST_F(ClassReaderWithLibrary, KnowsHoldersOfValues) {
  EXPECT_EQ(type("std::optional<std::string>").kind, TypeKind::kValueHolder);
  EXPECT_EQ(type("std::pair<int, std::string>").elements, (Names{"int", "std::string"}));
  EXPECT_EQ(type("std::tuple<char, long>").elements, (Names{"char", "long"}));
  EXPECT_EQ(type("std::variant<int, std::string>").elements, (Names{"int", "std::string"}));
  EXPECT_EQ(type("std::chrono::milliseconds").elements, (Names{"long"}));
  EXPECT_EQ(type("std::chrono::time_point<std::chrono::steady_clock, std::chrono::nanoseconds>").elements,
            (Names{"std::chrono::nanoseconds"}));
}

TEST_F(ClassReaderWithLibrary, KnowsWhatCannotBeCopied) {
  const TypeModel& owner = type("std::unique_ptr<app::Plugin>");
  EXPECT_EQ(owner.kind, TypeKind::kSmartPointer);
  EXPECT_EQ(owner.elements, (Names{"app::Plugin"}));
  EXPECT_FALSE(owner.is_copyable);
  EXPECT_TRUE(owner.is_movable);
  EXPECT_FALSE(type("std::vector<std::unique_ptr<app::Plugin>>").is_copyable);
  EXPECT_TRUE(type("std::vector<std::unique_ptr<app::Plugin>>").is_movable);
  EXPECT_FALSE(type("app::Owners").is_copyable);
  EXPECT_TRUE(type("app::Users").is_copyable);
  EXPECT_EQ(signatures(type("app::Plugin").pure_virtuals), (Names{"name()"}));
}

TEST_F(ClassReaderWithLibrary, KnowsCallbacks) {
  const TypeModel& callback = type("std::function<bool(const std::string&, int)>");
  EXPECT_EQ(callback.kind, TypeKind::kFunction);
  EXPECT_EQ(callback.elements, (Names{"bool", "const std::string&", "int"}));
  EXPECT_EQ(type("void(*)(int)").kind, TypeKind::kFunction);
  EXPECT_EQ(type("void(*)(int)").elements, (Names{"void", "int"}));
}

TEST_F(ClassReaderWithLibrary, KnowsCallablesByTheirConcepts) {
  find(model().methods, "visit(auto:auto(auto))");
  find(model().methods, "filter(auto:bool(int, auto))");
}

TEST_F(ClassReaderWithLibrary, KnowsCallablesThatTheLibraryCalls) {
  find(model().methods, "any(auto:bool(auto))");
  find(model().methods, "invoke(auto:void(int))");
  find(model().methods, "submit(auto:int(char))");
  find(model().methods, "keep(auto:bool(long))");
}

TEST_F(ClassReaderWithLibrary, KnowsIteratorsAsClasses) {
  const std::string iterator = result_of(model(), "begin()");
  EXPECT_TRUE(contains(iterator, "std::pair<const int, std::string>")) << iterator;
  EXPECT_EQ(type(iterator).kind, TypeKind::kClass);
  EXPECT_TRUE(type(iterator).is_copyable);
}

TEST_F(ClassReaderWithLibrary, KnowsDefaultedComparisons) {
  EXPECT_TRUE(model().has_equality);
  EXPECT_TRUE(model().is_copyable);
  find(model().methods, "operator==(const app::Store<std::string>&)");
}

}  // namespace
}  // namespace heddle::generate
