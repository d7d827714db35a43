// Where generated tests go: never over what is there.
#include "generate/test_folder.h"

#include <unistd.h>

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace heddle::generate {
namespace {

namespace fs = std::filesystem;

class TestFolderTest : public testing::Test {
 protected:
  TestFolderTest() : path_(fs::temp_directory_path() / ("test_folder_" + std::to_string(::getpid()))) {}
  ~TestFolderTest() override { fs::remove_all(path_); }

  static std::string read(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  const fs::path path_;
};

TEST_F(TestFolderTest, IsMadeAndFilled) {
  Expected<TestFolder> folder = TestFolder::open(path_ / "a" / "b", false);
  ASSERT_TRUE(folder) << folder.error().message;
  const fs::path first = folder->choose_file("cache_put");
  const fs::path second = folder->choose_file("cache_put");
  EXPECT_EQ(first.filename(), "cache_put_test.cpp");
  EXPECT_EQ(second.filename(), "cache_put_2_test.cpp");
  ASSERT_TRUE(folder->write(first, "one"));
  ASSERT_TRUE(folder->write(second, "two"));
  ASSERT_TRUE(folder->write(first, "new"));
  EXPECT_EQ(read(first), "new");
  EXPECT_EQ(folder->written(), (std::vector<fs::path>{first, second}));
}

TEST_F(TestFolderTest, FilesOfOthersAreNotTouched) {
  fs::create_directories(path_);
  std::ofstream(path_ / "mine_test.cpp") << "mine";
  const Expected<TestFolder> refused = TestFolder::open(path_, false);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("--force"), std::string::npos) << refused.error().message;

  Expected<TestFolder> forced = TestFolder::open(path_, true);
  ASSERT_TRUE(forced);
  EXPECT_TRUE(forced->remove(path_ / "mine_test.cpp"));
  EXPECT_EQ(read(path_ / "mine_test.cpp"), "mine") << "only what this run wrote is removed";
}

TEST_F(TestFolderTest, WhatItWroteItCanTakeBack) {
  Expected<TestFolder> folder = TestFolder::open(path_, false);
  ASSERT_TRUE(folder);
  const fs::path file = folder->choose_file("a");
  ASSERT_TRUE(folder->write(file, "x"));
  ASSERT_TRUE(folder->remove(file));
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(folder->written().empty());
}

TEST_F(TestFolderTest, AFileOfThatNameIsNoFolder) {
  std::ofstream(path_.string()) << "file";
  const Expected<TestFolder> folder = TestFolder::open(path_, true);
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("tests need a folder"), std::string::npos) << folder.error().message;
}

}  // namespace
}  // namespace heddle::generate
