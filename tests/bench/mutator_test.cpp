#include "mutator.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace heddle::bench {
namespace {

std::vector<Mutant> of_kind(const std::vector<Mutant>& mutants, MutantKind kind) {
  std::vector<Mutant> some;
  std::ranges::copy_if(mutants, std::back_inserter(some),
                       [&](const Mutant& mutant) { return mutant.kind == kind; });
  return some;
}

// The text of the only mutant of the kind; or what there is instead.
std::string mutated(const std::string& text, MutantKind kind) {
  const std::vector<Mutant> mutants = of_kind(make_mutants({{"src/a.h", text}}), kind);
  if (mutants.size() != 1) return std::to_string(mutants.size()) + " mutants";
  return mutants[0].texts.at("src/a.h");
}

TEST(Mutator, RemovesALock) {
  EXPECT_EQ(mutated("int f() {\n  const std::lock_guard<std::mutex> lock(m);\n  return x;\n}\n",
                    MutantKind::kLockRemoved),
            "int f() {\n  \n  return x;\n}\n");
}

TEST(Mutator, KeepsALockThatIsUsedByItsName) {
  EXPECT_EQ(
      mutated("void f() {\n  std::unique_lock lock(m);\n  c.wait(lock);\n}\n", MutantKind::kLockRemoved),
      "0 mutants");
  // The name of something else.
  EXPECT_EQ(mutated("void f() {\n  { std::unique_lock lock(m); a.lock(); }\n  int lock = 1;\n}\n",
                    MutantKind::kLockRemoved),
            "void f() {\n  {  a.lock(); }\n  int lock = 1;\n}\n");
}

TEST(Mutator, TakesALockOneStatementLater) {
  EXPECT_EQ(
      mutated("void f() {\n  std::scoped_lock lock(m);\n  if (a) {\n    return;\n  } else b();\n  c();\n}\n",
              MutantKind::kLockNarrowed),
      "void f() {\n  \n  if (a) {\n    return;\n  } else b();\n  std::scoped_lock lock(m);\n  c();\n}\n");
}

TEST(Mutator, DoesNotNarrowALockToNothing) {
  for (const char* body : {"return x;", "a();", "for (int i : x) { a(i); }", "c.wait(lock); a();"}) {
    const std::string text = std::string("int f() {\n  std::unique_lock lock(m);\n  ") + body + "\n}\n";
    EXPECT_EQ(mutated(text, MutantKind::kLockNarrowed), "0 mutants") << body;
  }
}

TEST(Mutator, TakesAnotherLock) {
  EXPECT_EQ(
      mutated("void f() {\n  const std::shared_lock lock(s->mutex);\n  a();\n}\n", MutantKind::kOtherLock),
      "void f() {\n  static std::remove_cvref_t<decltype(s->mutex)> other_lock;\n"
      "  const std::shared_lock lock(other_lock);\n  a();\n}\n");
  EXPECT_EQ(mutated("void f() {\n  std::scoped_lock lock(a, b);\n}\n", MutantKind::kOtherLock), "0 mutants");
}

TEST(Mutator, DropsANotification) {
  EXPECT_EQ(mutated("void f() {\n  a = 1;\n  slots(i).changed[2].notify_all();\n  b();\n}\n",
                    MutantKind::kNotifyDropped),
            "void f() {\n  a = 1;\n  \n  b();\n}\n");
  EXPECT_EQ(mutated("void f() {\n  if (a) c->notify_one();\n  b();\n}\n", MutantKind::kNotifyDropped),
            "void f() {\n  if (a) ;\n  b();\n}\n");
}

TEST(Mutator, MakesAnAtomicPlainWhereverItIsUsed) {
  const SourceTexts sources{
      {"src/a.h",
       "class A {\n  int get() const { return n_.load(std::memory_order_acquire); }\n"
       "  void add();\n  mutable std::atomic<int> n_{0};\n};\n"},
      {"src/a.cpp",
       "void A::add() {\n  other->n_.fetch_add(f(1, 2), std::memory_order_relaxed);\n"
       "  last_ = this->n_.fetch_sub(1);\n  n_.store(3);\n  ++n_;\n  x = n_.exchange(4);\n}\n"},
      {"src/b.cpp", "void g() {}\n"}};
  const std::vector<Mutant> mutants = make_mutants(sources);
  ASSERT_EQ(mutants.size(), 1u);
  const Mutant& mutant = mutants[0];
  EXPECT_EQ(mutant.what, "std::atomic<int> n_");
  ASSERT_EQ(mutant.texts.size(), 2u);
  EXPECT_EQ(mutant.texts.at("src/a.h"),
            "class A {\n  int get() const { return n_; }\n  void add();\n  mutable int n_{0};\n};\n");
  EXPECT_EQ(mutant.texts.at("src/a.cpp"),
            "void A::add() {\n  other->n_ += f(1, 2);\n"
            "  last_ = std::exchange(this->n_, this->n_ - (1));\n  n_ = 3;\n  ++n_;\n"
            "  x = std::exchange(n_, 4);\n}\n");
  const std::vector<LineRange> functions{{"src/a.cpp", 1, 7}, {"src/a.h", 2, 2}};
  EXPECT_EQ(mutant.functions, functions);
}

TEST(Mutator, LeavesAtomicsAloneThatHaveNoPlainForm) {
  EXPECT_TRUE(make_mutants({{"src/a.h",
                             "class A {\n  void f() { int o = 0; n_.compare_exchange_weak(o, 1); }\n"
                             "  std::atomic<int> n_;\n};\n"}})
                  .empty());
  // Which of the two a use means is not known.
  EXPECT_TRUE(
      make_mutants({{"src/a.h", "class A { std::atomic<int> n_; };\nclass B { int n_; };\n"}}).empty());
}

TEST(Mutator, NamesTheFunctionAroundTheChange) {
  const std::vector<Mutant> mutants = make_lock_mutants(SourceText(
      "src/a.h",
      "void a() {}\nvoid b() {\n  auto f = [&] {\n    std::lock_guard lock(m);\n    x();\n  };\n}\n"));
  ASSERT_EQ(mutants.size(), 2u);  // removed, other
  EXPECT_EQ(mutants[0].functions, std::vector<LineRange>({{"src/a.h", 2, 7}}));
  EXPECT_EQ(mutants[0].line, 4u);
}

TEST(Mutator, EveryBeginningOfAMixHasAllKinds) {
  std::vector<Mutant> mutants;
  for (int i = 0; i < 5; ++i) mutants.push_back({.kind = MutantKind::kLockRemoved});
  for (int i = 0; i < 2; ++i) mutants.push_back({.kind = MutantKind::kNotifyDropped});
  const std::vector<Mutant> order = mixed(mutants, 1);
  ASSERT_EQ(order.size(), 7u);
  const std::vector<Mutant> beginning(order.begin(), order.begin() + 4);
  EXPECT_EQ(of_kind(beginning, MutantKind::kNotifyDropped).size(), 2u);
}

}  // namespace
}  // namespace heddle::bench
