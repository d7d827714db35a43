#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "source_pairs.h"

namespace heddle {

namespace {

std::vector<std::string> signatures(const std::string& text) {
  std::vector<std::string> result;
  for (const SourceFunction& function : parse_source("a.cpp", text).functions)
    result.push_back(function.signature);
  return result;
}

std::vector<std::string> normal_forms(const std::string& body) {
  const SourceFile file = parse_source("a.cpp", "void f(int p) {" + body + "}");
  std::vector<std::string> result;
  if (file.functions.size() != 1) return {"no function"};
  for (const SourceStatement& statement : file.functions[0].statements)
    result.push_back(without_spaces(statement.normal));
  return result;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST(ParseSource, QualifiesNames) {
  EXPECT_EQ(
      signatures(
          "namespace a::b { inline namespace v1 { namespace { void f() {} } } class C { class D { void g(); "
          "void h() const {} }; }; } void a::b::C::D::g() {}"),
      (Lines{"a::b::v1::(anonymous namespace)::f()", "a::b::C::D::h() const", "a::b::C::D::g()"}));
}

TEST(ParseSource, FindsFunctionsOfAllForms) {
  EXPECT_EQ(signatures("struct S { S() : a(1), b{2} {} explicit S(int n) noexcept : a(n) {} ~S() {} "
                       "bool operator()(int x) const { return x; } operator bool() const { return true; } "
                       "S& operator=(const S& o) & { return *this; } int operator[](int i) { return i; } };"),
            (Lines{"S::S()", "S::S(int)", "S::~S()", "S::operator()(int) const", "S::operator bool() const",
                   "S::operator=(const S&) &", "S::operator[](int)"}));
}

TEST(ParseSource, FindsTemplates) {
  EXPECT_EQ(
      signatures(
          "template <class T, int N = 3> requires C<T> && (N > 2) void f(T (&a)[N]) {}\n"
          "template <> void g<int>(int) {}\n"
          "template <class T> struct Q<T*> { auto h(T t) -> decltype(t.x()) requires D<T> { return t.x(); } "
          "};\n"
          "template <class T> void Q<T*>::k() {}\ntemplate <class U> void R<U>::m(std::map<U, int> a) {}"),
      (Lines{"f(T(&)[N])", "g<int>(int)", "Q<T*>::h(T)", "Q<T*>::k()", "R::m(std::map<U, int>)"}));
}

TEST(ParseSource, FindsFunctionsWithMacrosAndAttributes) {
  EXPECT_EQ(signatures("EXPORT [[nodiscard]] int f(int a) REQUIRES(mu) { return a; }\n"
                       "__attribute__((noinline)) static void g(void) {}\n"
                       "TEST_F(Suite, Name) { }\nextern \"C\" { void h(char* argv[]) {} }\nextern \"C\" int "
                       "k() { return 1; }\n"
                       "F::F() try : a(1) { x(); } catch (...) { y(); }\nstruct S s(int a) { return {}; }"),
            (Lines{"f(int)", "g()", "TEST_F(Suite, Name)", "h(char*[])", "k()", "F::F()", "s(int)"}));
}

TEST(ParseSource, EqualSignaturesAreNumbered) {
  EXPECT_EQ(signatures("#ifdef A\nvoid f() { a(); }\n#else\nvoid f() { b(); }\n#endif"),
            (Lines{"f()", "f() #2"}));
}

TEST(ParseSource, NumbersLocals) {
  EXPECT_EQ(
      normal_forms("int a = p; auto [b, c] = pair(a); x.a = b; a::b(c); for (auto& i : v) use(i); i = 1;"),
      (Lines{"int$2=$1;", "auto[$3,$4]=pair($2);", "x.a=$3;", "a::b($4);", "for(auto&$5:v)", "use($5);",
             "i=1;", "}"}));
}

TEST(ParseSource, ExpressionsDeclareNothing) {
  EXPECT_EQ(normal_forms("ok && go(); p * q; a.b = c; f(x); return y; delete z; a[i] = b;"),
            (Lines{"ok&&go();", "$1*q;", "a.b=c;", "f(x);", "returny;", "deletez;", "a[i]=b;"}));
}

TEST(ParseSource, SplitsControlFlow) {
  EXPECT_EQ(normal_forms(
                "if (auto it = m.find(p); it != m.end()) a(); else if (p) { b(); } else c();"
                "do { d(); } while (p); switch (p) { case 1: e(); break; default: g(); } again: goto again;"),
            (Lines{"if(auto$2=m.find($1);$2!=m.end())", "a();", "if($1)", "b();", "c();", "d();", "while($1)",
                   "switch($1)", "case1:", "e();", "break;", "default:", "g();", "again:", "gotoagain;"}));
}

TEST(ParseSource, KnowsTheConditionsAround) {
  const SourceFile file =
      parse_source("a.c", "void f() { if (a) { b(); } else { do c(); while (d); } e(); }");
  const std::vector<SourceStatement>& s = file.functions.at(0).statements;
  ASSERT_EQ(s.size(), 5u);
  EXPECT_EQ(s[1].parent, 0u);
  EXPECT_FALSE(s[1].otherwise);
  EXPECT_EQ(s[2].text, "c ( ) ;");
  EXPECT_EQ(s[2].parent, 3u);
  EXPECT_EQ(s[3].parent, 0u);
  EXPECT_TRUE(s[3].otherwise);
  EXPECT_EQ(s[4].parent, ~0u);
}

TEST(ParseSource, StatementsOfLambdasBelongToTheFunction) {
  EXPECT_EQ(normal_forms("auto t = run([&, k = p](int a) mutable { a += k; if (a) { b(); } }, 3); c(a);"),
            (Lines{"auto$2=run([&,$3=$1](int$4)mutable{},3);", "$4+=$3;", "if($4)", "b();", "c(a);", "}"}));
}

TEST(ParseSource, ScopesThatDestroyEnd) {
  EXPECT_EQ(normal_forms("{ std::lock_guard<std::mutex> g(m); a(); } { int i = 0; b(i); } Foo* q = c();"),
            (Lines{"std::lock_guard<std::mutex>$2(m);", "a();", "}", "int$3=0;", "b($3);", "Foo*$4=c();"}));
}

TEST(ParseSource, MacrosLikeStatements) {
  EXPECT_EQ(normal_forms("FOREACH(x, list) { a(x); }\n CHECK(p)\n b(); LOG(1) << p;"),
            (Lines{"FOREACH(x,list)", "a(x);", "CHECK($1)", "b();", "LOG(1)<<$1;"}));
}

TEST(ParseSource, StringsAndContinuations) {
  EXPECT_EQ(normal_forms("a(R\"x(; } \" )x\"); b(\"}\\\"\", '}', 1'000); // c(\\\n d();\n e\\\n();"),
            (Lines{"a(R\"x(;}\")x\");", "b(\"}\\\"\",'}',1'000);", "e();"}));
}

TEST(ParseSource, AllBranchesOfConditionals) {
  const SourceFile file = parse_source("a.c",
                                       "void f() {\n#if A\n if (x) {\n#else\n if (y) {\n#endif\n a();\n }\n"
                                       "#if 0\n b(); }\n#endif\n c();\n}\nvoid g() { d(); }");
  ASSERT_EQ(file.functions.size(), 2u);
  std::vector<std::string> texts;
  for (const SourceStatement& statement : file.functions[0].statements) texts.push_back(statement.text);
  EXPECT_EQ(texts, (Lines{"if ( x )", "if ( y )", "a ( ) ;", "c ( ) ;"}));
  EXPECT_EQ(file.functions[0].statements[0].compiled_if, "A");
}

TEST(ParseSource, Declarations) {
  const SourceFile file = parse_source("a.h",
                                       "static int a = 1, *b; void (*handler)(int); class Q : public P { "
                                       "public: std::map<int, V> m_ GUARDED_BY(mu_){}; "
                                       "unsigned bits : 3; struct { int x; } inner_; void f(); };\nenum "
                                       "class E { kA = 1 };\ntypedef struct { int y; } T;");
  std::vector<std::string> lines;
  for (const SourceDeclaration& d : file.declarations) lines.push_back(d.name + " " + d.type);
  EXPECT_EQ(lines, (Lines{"a int", "b int*", "handler void(*)(int)", "Q public P", "Q::m_ std::map<int, V>",
                          "Q::bits unsigned", "Q::inner_::x int", "Q::inner_ Q::inner_", "Q::f() void",
                          "E::kA E", "T::y int"}));
  EXPECT_TRUE(file.not_understood.empty());
}

TEST(ParseSource, StaticMembersDefinedOutside) {
  const SourceFile file =
      parse_source("a.cpp", "int Q::count_ = 0; const P::Field P::kFields[] = {{1}}; std::mutex n::Q::m_;");
  std::vector<std::string> lines;
  for (const SourceDeclaration& d : file.declarations) lines.push_back(d.name + " " + d.type);
  EXPECT_EQ(lines, (Lines{"Q::count_ int", "P::kFields const P::Field", "n::Q::m_ std::mutex"}));
}

TEST(ParseSource, Ranges) {
  const SourceFile file = parse_source("a.cpp", "\nint f()\n{\n  return\n    1;\n}\n");
  EXPECT_EQ(file.functions.at(0).range, (SourceRange{2, 1, 6, 1}));
  EXPECT_EQ(file.functions.at(0).statements.at(0).range, (SourceRange{4, 3, 5, 6}));
}

namespace {

const std::string kSample = R"code(
#define LOCK(m) std::lock_guard g(m)
namespace n { template <class T> class Q : B<T> { public: Q() : a_(1) { init([this] { run(); }); }
  int operator<(const Q& o) const { return a_ < o.a_ ? 1 : 0; } private: int a_ GUARDED_BY(m) = 3; }; }
enum class E : int { kA, kB = 2 };
#if X
void f(int a, char (*cb)(int)) { for (int i = 0; i < a; ++i) { if (i) continue; else cb(i); }
#else
void f(int a) { do { a--; } while (a > 0);
#endif
  switch (a) { case 1: break; default: try { g<int, 3>(a); } catch (const E& e) { h("x\"}", 'c', R"(})"); } } }
TEST(S, N) { auto [x, y] = z; LOCK(m); return; }
)code";

}  // namespace

TEST(ParseSource, SurvivesEveryPrefix) {
  for (size_t size = 0; size <= kSample.size(); ++size)
    parse_source("a.cpp", std::string_view(kSample).substr(0, size));
  EXPECT_EQ(parse_source("a.cpp", kSample).functions.size(), 4u);
}

TEST(ParseSource, SurvivesDamage) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text = kSample;
    for (int edit = 0; edit < 4; ++edit) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text.erase(at, 1 + random() % 6);
      } else {
        text.insert(at, 1, "(){}[]<>;:,=\"'#/*\\"[random() % 18]);
      }
    }
    const SourceFile file = parse_source("a.cpp", text);
    if (round % 20 == 0) map_of({{"a.cpp", kSample}}, {{"a.cpp", text}});
    for (const SourceFunction& function : file.functions) {
      for (const SourceStatement& statement : function.statements) {
        EXPECT_TRUE(statement.parent == ~0u || statement.parent < function.statements.size());
      }
    }
  }
}

TEST(ParseSource, DeepNestingDoesNotExhaustTheStack) {
  for (const char* open : {"{", "(", "[", "if (a) ", "namespace a {", "[]{;", "a<", "f({"}) {
    std::string text = "void f() {";
    for (int i = 0; i < 20000; ++i) text += open;
    parse_source("a.cpp", text);
    parse_source("a.cpp", text.substr(10));
  }
  std::string chain = "void f() { if (a) b();";
  for (int i = 0; i < 5000; ++i) chain += " else if (a) b();";
  EXPECT_EQ(parse_source("a.cpp", chain + "}").functions.at(0).statements.size(), 10002u);
}

}  // namespace heddle
