#include "execute/input.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

std::string read_all(const Input& input) {
  const Expected<UniqueFd> fd = input.open();
  char buffer[64];
  const ssize_t count = fd ? ::read(fd->get(), buffer, sizeof(buffer)) : -1;
  return count < 0 ? "error" : std::string(buffer, static_cast<size_t>(count));
}

TEST(Input, IsEmptyByDefault) {
  EXPECT_EQ(read_all(Input()), "");
}

TEST(Input, FileIsReadFromItsBeginningByEveryReader) {
  const std::string path = ::testing::TempDir() + "heddle_input_test";
  std::ofstream(path) << "text";
  const Expected<Input> input = Input::from_file(path);
  ASSERT_TRUE(input);
  EXPECT_EQ(read_all(*input), "text");
  EXPECT_EQ(read_all(*input), "text");
  std::filesystem::remove(path);
}

TEST(Input, MissingFileAndFolderAreUsageErrors) {
  for (const char* path : {"/nonexistent", "/proc"}) {
    const Expected<Input> input = Input::from_file(path);
    ASSERT_FALSE(input) << path;
    EXPECT_EQ(input.error().kind, Error::Kind::kUsage);
  }
}

}  // namespace
}  // namespace heddle
