// Functions whose name the change has taken away, so that the old name means something else where it is still
// used; and names that only mean the same under another spelling, which is no change.
#include <algorithm>

#include <gtest/gtest.h>

#include "two_versions.h"

namespace heddle::select {
namespace {

using Lines = std::vector<std::string>;

Sources with(Sources sources, const std::string& path, const std::string& before, const std::string& after) {
  std::string& text = sources[path];
  const size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  text.replace(at, before.size(), after);
  return sources;
}

Lines impacted(const TwoVersions& versions, const std::string& file) {
  Lines lines = versions.variables(file);
  std::erase_if(lines, [](const std::string& line) { return line.find(" rule ") == std::string::npos; });
  return lines;
}

bool has(const Lines& lines, const std::string& wanted) {
  return std::ranges::find(lines, wanted) != lines.end();
}

const Sources kHides = {{"base.h", R"(#pragma once
struct Base {
  void push(int x) { last = x; }
  int last = 0;
};
)"},
                        {"queue.h", R"(#pragma once
#include <mutex>
#include "base.h"
struct SafeQueue : Base {
  void push(int x) {
    std::lock_guard<std::mutex> guard(mutex);
    last = x;
  }
  std::mutex mutex;
};
)"},
                        {"main.cpp", R"(#include <thread>
#include "queue.h"
SafeQueue queue;
void one() {
  queue.push(1);
}
void two() {
  queue.push(2);
}
int main() {
  std::thread a(one);
  std::thread b(two);
  a.join();
  b.join();
}
)"}};

TEST(Renamed, AFunctionThatTheOldNameNoLongerHidesIsNewlyCalled) {
  const Sources half = with(kHides, "queue.h", "push", "add");
  const TwoVersions versions(kHides, with(half, "main.cpp", "queue.push(1)", "queue.add(1)"));
  EXPECT_TRUE(has(impacted(versions, "base.h"), "write Base::last 3 <- two 8 rule 1"))
      << ::testing::PrintToString(versions.variables("base.h"));
}

TEST(Renamed, EverywhereIsNoChange) {
  Sources after = with(kHides, "queue.h", "push", "add");
  after = with(after, "main.cpp", "queue.push(1)", "queue.add(1)");
  after = with(after, "main.cpp", "queue.push(2)", "queue.add(2)");
  after = with(after, "base.h", "push", "add");
  const TwoVersions versions(kHides, after);
  for (const char* file : {"base.h", "queue.h", "main.cpp"}) EXPECT_EQ(impacted(versions, file), Lines{});
}

TEST(Renamed, AClassWithItsTemplatesAndLambdasIsNoChange) {
  const Sources before = {{"box.h", R"(#pragma once
struct Box { virtual ~Box() = default; virtual void put(int x) { n = x; } int n = 0; };
struct Bag : Box { void put(int x) override { n = x + 1; } };
)"},
                          {"each.h", R"(#pragma once
template <class T, class F> void each(T& t, F f) { f(t); }
template <class T> struct Holder { T t; void put(int x) { t.put(x); } };
)"},
                          {"main.cpp", R"(#include <thread>
#include "box.h"
#include "each.h"
Holder<Bag> bag;
void work(Box& box) {
  each(box, [](Box& it) { it.put(1); });
  bag.put(2);
}
int main() {
  std::thread a([] { work(bag.t); });
  std::thread b([] { work(bag.t); });
  a.join();
  b.join();
}
)"}};
  Sources after = before;
  for (auto& [path, text] : after)
    for (const auto& [from, to] : {std::pair{"Box", "Crate"}, std::pair{"Bag", "Sack"}})
      for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
        text.replace(at, std::string(from).size(), to);
  const TwoVersions versions(before, after);
  for (const char* file : {"box.h", "each.h", "main.cpp"}) EXPECT_EQ(impacted(versions, file), Lines{});
}

TEST(Renamed, AnOverloadThatIsLeft) {
  const Sources before = {{"put.h", R"(#pragma once
#include <mutex>
struct Store { std::mutex mutex; long value = 0; };
inline void put(Store& store, long x) { store.value = x; }
inline void put(Store& store, int x) {
  std::lock_guard<std::mutex> guard(store.mutex);
  store.value = x;
}
)"},
                          {"main.cpp", R"(#include <thread>
#include "put.h"
Store store;
int main() {
  std::thread a([] { put(store, 1); });
  std::thread b([] { put(store, 2); });
  a.join();
  b.join();
}
)"}};
  const TwoVersions versions(before,
                             with(before, "put.h", "put(Store& store, int", "put_int(Store& store, int"));
  // Where it is called, and where what it replaces was executed.
  EXPECT_TRUE(has(impacted(versions, "put.h"), "write Store::value 4 <- put 6 rule 1"))
      << ::testing::PrintToString(versions.variables("put.h"));
}

TEST(Renamed, ALibrarysFunctionThatStandsInForTheProjects) {
  const Sources before = {{"box.h", R"(#pragma once
#include <mutex>
#include <utility>
inline std::mutex mutex;
struct Box { int value = 0; };
inline void swap(Box& a, Box& b) {
  std::lock_guard<std::mutex> guard(mutex);
  std::swap(a.value, b.value);
}
)"},
                          {"main.cpp", R"(#include <thread>
#include "box.h"
Box one, two;
void flip() {
  using std::swap;
  swap(one, two);
}
int main() {
  std::thread a(flip);
  std::thread b(flip);
  a.join();
  b.join();
}
)"}};
  const TwoVersions versions(before, with(before, "box.h", "void swap", "void locked_swap"));
  const Lines lines = impacted(versions, "main.cpp");
  EXPECT_TRUE(has(lines, "write one 6 <- swap 7 rule 1"))
      << ::testing::PrintToString(versions.variables("main.cpp"));
}

// Called by the library only: no call of the program shows it.
const Sources kOverrides = {{"buffer.h", R"(#pragma once
#include <mutex>
#include <streambuf>
struct Plain : std::streambuf {
  int count = 0;
  int overflow(int c) override {
    ++count;
    return c;
  }
};
struct Buffer : Plain {
  int overflow(int c) {
    std::lock_guard<std::mutex> guard(mutex);
    ++count;
    return c;
  }
  std::mutex mutex;
};
)"},
                            {"main.cpp", R"(#include <ostream>
#include <thread>
#include "buffer.h"
int main() {
  Buffer buffer;
  std::ostream one(&buffer);
  std::ostream two(&buffer);
  std::thread a([&] { one << 1; });
  std::thread b([&] { two << 2; });
  a.join();
  b.join();
}
)"}};

TEST(Renamed, AnOverrideThatIsLost) {
  const Sources after = with(kOverrides, "buffer.h", "overflow(int c) {", "on_overflow(int c) {");
  const Lines lines = impacted(TwoVersions(kOverrides, after), "buffer.h");
  EXPECT_TRUE(std::ranges::any_of(lines, [](const std::string& line) {
    return line.find("<- Buffer::overflow 13 rule 3") != std::string::npos;
  })) << ::testing::PrintToString(lines);
}

TEST(Renamed, AnOverrideThatIsGained) {
  const Sources before = with(kOverrides, "buffer.h", "overflow(int c) {", "on_overflow(int c) {");
  const Lines lines = impacted(TwoVersions(before, kOverrides), "buffer.h");
  EXPECT_TRUE(std::ranges::any_of(lines, [](const std::string& line) {
    return line.find("<- Plain::overflow 7 rule 3") != std::string::npos;
  })) << ::testing::PrintToString(lines);
}

}  // namespace
}  // namespace heddle::select
