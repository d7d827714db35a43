// Which classes a change touches that concurrent tests are made for.
#include "check/changed_classes.h"

#include <unistd.h>

#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;
using TextByPath = std::map<std::string, std::string>;
using ClassNames = std::vector<std::string>;

constexpr char kCache[] = R"(#pragma once
#include <mutex>
namespace shop {
class Cache {
 public:
  void put(int key);
  int size() const { std::lock_guard guard(mutex_); return size_; }
 private:
  mutable std::mutex mutex_;
  int size_ = 0;
};
struct Point { int x() const { return x_; } int x_; };
}
)";
constexpr char kPut[] =
    "#include \"cache.h\"\nvoid shop::Cache::put(int key) {\n  std::lock_guard guard(mutex_);\n  "
    "++size_;\n}\n";

class ChangedClassesTest : public testing::Test {
 protected:
  ChangedClassesTest() : root_(fs::temp_directory_path() / ("changed_" + std::to_string(::getpid()))) {}
  ~ChangedClassesTest() override { fs::remove_all(root_); }

  // What the compiler would say of the headers here: the names of classes in them.
  static ClassNames classes_of(const fs::path& header) {
    std::ostringstream text;
    text << std::ifstream(header).rdbuf();
    ClassNames names;
    for (const char* name : {"Cache", "Point", "Guarded", "SpinLock", "Map"}) {
      if (text.str().find(std::string("class ") + name + " ") != std::string::npos ||
          text.str().find(std::string("struct ") + name + " ") != std::string::npos)
        names.push_back(std::string("shop::") + name);
    }
    return names;
  }

  ChangedClasses find(const TextByPath& before, const TextByPath& after,
                      const std::set<std::string>& functions = {}) {
    SourceChange change;
    StatementMap::Files files;
    for (const auto& [path, text] : after) {
      fs::create_directories((root_ / path).parent_path());
      std::ofstream(root_ / path) << text;
      const auto old = before.find(path);
      if (old != before.end() && old->second == text) continue;
      change.files.push_back({old == before.end() ? "" : path, path});
      files.head.push_back(parse_source(path, text));
      if (old != before.end()) files.base.push_back(parse_source(path, old->second));
    }
    change.statements = StatementMap(std::move(files));
    return changed_classes(change, functions, root_, classes_of);
  }

  static ClassNames names_of(const ChangedClasses& found) {
    ClassNames names;
    for (const ChangedClass& one : found.classes) names.push_back(one.name);
    return names;
  }

  const fs::path root_;
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

TEST_F(ChangedClassesTest, AMemberFunctionInASourceTouchesTheClassOfTheHeader) {
  const ChangedClasses found =
      find({{"include/shop/cache.h", kCache}, {"src/cache.cpp", kPut}},
           {{"include/shop/cache.h", kCache}, {"src/cache.cpp", replaced(kPut, "++size_", "size_ += key")}});
  ASSERT_EQ(names_of(found), ClassNames{"shop::Cache"});
  EXPECT_EQ(found.classes[0].header, "include/shop/cache.h");
  EXPECT_TRUE(found.others.empty());
}

TEST_F(ChangedClassesTest, AClassThatSynchronisesNothingPromisesNothing) {
  const ChangedClasses found =
      find({{"cache.h", kCache}}, {{"cache.h", replaced(kCache, "return x_;", "return x_ + 1;")}});
  EXPECT_EQ(names_of(found), ClassNames{});
  EXPECT_EQ(found.others, ClassNames{"shop::Point"});
}

TEST_F(ChangedClassesTest, ALockThatIsGoneStillCounts) {
  std::string without = replaced(kCache, "  mutable std::mutex mutex_;\n", "");
  without = replaced(without, "std::lock_guard guard(mutex_); ", "");
  EXPECT_EQ(names_of(find({{"cache.h", kCache}}, {{"cache.h", without}})), ClassNames{"shop::Cache"});
}

TEST_F(ChangedClassesTest, ALockThatIsWrappedIsALock) {
  const std::string lock =
      "#include <atomic>\nnamespace shop { class SpinLock { public: void lock(); private: std::atomic<bool> "
      "taken_; }; }\n";
  const std::string guarded =
      "#include \"lock.h\"\nnamespace shop {\nclass Guarded {\n public:\n  int get() { return value_; }\n  "
      "SpinLock "
      "lock_;\n  int value_;\n};\n}\n";
  EXPECT_EQ(
      names_of(find({{"lock.h", lock}, {"guarded.h", guarded}},
                    {{"lock.h", lock}, {"guarded.h", replaced(guarded, "return value_", "return -value_")}})),
      ClassNames{"shop::Guarded"});
}

TEST_F(ChangedClassesTest, TemplatesAndNewClassesCount) {
  const std::string map =
      "#include <shared_mutex>\nnamespace shop {\ntemplate <class K> class Map {\n public:\n  void put(const "
      "K& "
      "key);\n  std::shared_mutex mutex_;\n};\ntemplate <class K> void Map<K>::put(const K& key) { "
      "(void)key; }\n}\n";
  EXPECT_EQ(names_of(find({{"map.h", map}}, {{"map.h", replaced(map, "(void)key;", "mutex_.lock();")}})),
            ClassNames{"shop::Map"});
  EXPECT_EQ(names_of(find({}, {{"map.h", map}})), ClassNames{"shop::Map"});
}

TEST_F(ChangedClassesTest, ClassesOfUncoveredPairsCountAsTouched) {
  EXPECT_EQ(names_of(find({{"cache.h", kCache}, {"b.cpp", ""}}, {{"cache.h", kCache}, {"b.cpp", "int a;\n"}},
                          {"shop::Cache::size() const"})),
            ClassNames{"shop::Cache"});
}

TEST_F(ChangedClassesTest, WhatIsInNoHeaderCannotBeIncluded) {
  const std::string source =
      "#include <mutex>\nclass Hidden { std::mutex m; public: void f() { m.lock(); } };\n";
  EXPECT_EQ(names_of(find({{"a.cpp", source}}, {{"a.cpp", replaced(source, "m.lock()", "m.unlock()")}})),
            ClassNames{});
}

}  // namespace
}  // namespace heddle
