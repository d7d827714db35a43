// From a header and compile_commands.json to what it takes to compile the class.
#include "generate/database_sources.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

namespace heddle::generate {
namespace {

namespace fs = std::filesystem;

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest() : root_(fs::temp_directory_path() / ("database_" + std::to_string(::getpid()))) {
    for (const char* folder : {"include/shop", "src", "tools", "build"})
      fs::create_directories(root_ / folder);
    for (const char* file : {"include/shop/cache.h", "src/cache.cpp", "src/store.cpp", "tools/main.cpp"})
      std::ofstream(root_ / file) << "\n";
  }
  ~DatabaseTest() override { fs::remove_all(root_); }

  void write_database() const {
    std::ofstream(root_ / "build" / "compile_commands.json")
        << R"([{"directory": ")" << (root_ / "build").string()
        << R"(", "command": "clang++-19 -I../include -DTOOL -c ../tools/main.cpp", "file": "../tools/main.cpp"},
)" << R"({"directory": ")"
        << (root_ / "build").string()
        << R"(", "command": "clang++-19 -I../include -DLIBRARY -std=c++17 -O3 -o x.o -c ../src/cache.cpp", "file": "../src/cache.cpp"},
)" << R"({"directory": ")"
        << (root_ / "build").string()
        << R"(", "command": "clang++-19 -I ../include -DLIBRARY -c ../src/store.cpp", "file": "../src/store.cpp"}])";
  }

  bool has_flag(const ClassSources& sources, const std::string& flag) const {
    return std::find(sources.flags.begin(), sources.flags.end(), flag) != sources.flags.end();
  }

  const fs::path root_;
};

TEST_F(DatabaseTest, TheSourceOfTheSameNameSaysHow) {
  write_database();
  ClassSources sources;
  sources.headers = {(root_ / "include/shop/cache.h").string()};
  const Expected<void> added = add_from_database(root_ / "build", &sources);
  ASSERT_TRUE(added) << added.error().message;
  place_headers(&sources);
  EXPECT_EQ(sources.compiler, "clang++-19");
  EXPECT_EQ(sources.sources, std::vector<std::string>{(root_ / "src/cache.cpp").string()});
  EXPECT_TRUE(has_flag(sources, "-DLIBRARY"));
  EXPECT_TRUE(has_flag(sources, "-std=c++17"));
  EXPECT_FALSE(has_flag(sources, "-DTOOL"));
  EXPECT_EQ(sources.headers, std::vector<std::string>{"shop/cache.h"}) << "as code includes it";
  EXPECT_EQ(sources.more_sources, (std::vector<std::string>{(root_ / "src/store.cpp").string(),
                                                            (root_ / "tools/main.cpp").string()}))
      << "what may be missing, the nearest first";
}

TEST_F(DatabaseTest, WhatTheUserNamesComesFirst) {
  write_database();
  ClassSources sources;
  sources.headers = {(root_ / "include/shop/cache.h").string()};
  sources.sources = {(root_ / "src/store.cpp").string()};
  sources.compiler = "g++";
  ASSERT_TRUE(add_from_database(root_ / "build/compile_commands.json", &sources));
  EXPECT_EQ(sources.compiler, "g++");
  EXPECT_EQ(sources.sources.size(), 1U);
  EXPECT_TRUE(sources.more_sources.empty());
}

TEST_F(DatabaseTest, NoDatabaseIsTheUsersMistake) {
  ClassSources sources;
  sources.headers = {"cache.h"};
  const Expected<void> added = add_from_database(root_ / "build", &sources);
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("compile_commands.json"), std::string::npos) << added.error().message;
}

TEST_F(DatabaseTest, AHeaderWithoutFlagsBringsItsFolder) {
  ClassSources sources;
  sources.headers = {(root_ / "include/shop/cache.h").string(), "vector"};
  place_headers(&sources);
  EXPECT_EQ(sources.headers, (std::vector<std::string>{"cache.h", "vector"}));
  EXPECT_EQ(sources.flags, std::vector<std::string>{"-I" + (root_ / "include/shop").string()});
}

}  // namespace
}  // namespace heddle::generate
