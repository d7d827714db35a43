#include "symbolize/source_files.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(SourceFiles, GivesTrimmedLinesCountedFromOne) {
  SourceFiles files;
  files.provide("queue.cpp", "first\n\tif (x)\r\n    return;  \n");
  EXPECT_EQ(files.line("queue.cpp", 1), "first");
  EXPECT_EQ(files.line("queue.cpp", 2), "if (x)");
  EXPECT_EQ(files.line("queue.cpp", 3), "return;");
}

TEST(SourceFiles, HasNothingBeyondTheFile) {
  SourceFiles files;
  files.provide("queue.cpp", "first\n");
  EXPECT_EQ(files.line("queue.cpp", 0), std::nullopt);
  EXPECT_EQ(files.line("queue.cpp", 2), std::nullopt);
  EXPECT_EQ(files.line("missing.cpp", 1), std::nullopt);
  EXPECT_EQ(files.line(std::filesystem::temp_directory_path().string(), 1), std::nullopt);
}

TEST(SourceFiles, ReadsFiles) {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "source_files_test.txt";
  std::ofstream(path) << "a\n  b\n";
  SourceFiles files;
  EXPECT_EQ(files.line(path.string(), 2), "b");
}

}  // namespace
}  // namespace heddle
