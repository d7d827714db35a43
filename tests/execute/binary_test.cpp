#include "execute/binary.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

class BinaryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "heddle_binary_test";
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content, mode_t mode = 0755) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << content;
    ::chmod(path.c_str(), mode);
    return path;
  }

  static std::string error_of(const std::string& path) {
    const Expected<BinaryInfo> info = inspect_binary(path);
    return info ? "no error" : info.error().message;
  }

  std::filesystem::path folder_;
};

std::string content_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(BinaryTest, SaysWhatAnInstrumentedProgramHas) {
  const Expected<BinaryInfo> info = inspect_binary(HEDDLE_FAKE_PROGRAM);
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_TRUE(info->instrumented);
  EXPECT_FALSE(info->static_tsan);
  EXPECT_FALSE(info->statically_linked);
  EXPECT_EQ(info->tsan_library, "libtsan.so.2");
  EXPECT_EQ(info->build_id.size(), 40u);
  EXPECT_TRUE(check_runnable(*info));
}

TEST_F(BinaryTest, PlainProgramIsRefusedWithAdvice) {
  const Expected<BinaryInfo> info = inspect_binary(HEDDLE_PLAIN_PROGRAM);
  ASSERT_TRUE(info);
  EXPECT_FALSE(info->instrumented);
  const Expected<void> runnable = check_runnable(*info);
  ASSERT_FALSE(runnable);
  EXPECT_NE(runnable.error().message.find("-fsanitize=thread"), std::string::npos);
}

TEST_F(BinaryTest, OwnRuntimeLinkedInIsRefusedWithAdvice) {
  const Expected<void> runnable = check_runnable({.path = "p", .instrumented = true, .static_tsan = true});
  ASSERT_FALSE(runnable);
  EXPECT_NE(runnable.error().message.find("-shared-libsan"), std::string::npos);
}

TEST_F(BinaryTest, SaysWhatAFileIsInstead) {
  EXPECT_NE(error_of((folder_ / "missing").string()).find("does not exist"), std::string::npos);
  EXPECT_NE(error_of(folder_.string()).find("is not a file"), std::string::npos);
  EXPECT_NE(error_of(write("empty", "")).find("is empty"), std::string::npos);
  EXPECT_NE(error_of(write("script", "#!/bin/sh\n")).find("is a script"), std::string::npos);
  EXPECT_NE(error_of(write("text", "hello")).find("not an ELF program"), std::string::npos);
}

TEST_F(BinaryTest, ForeignMachineIsRefused) {
  std::string content = content_of(HEDDLE_PLAIN_PROGRAM);
  content[18] = static_cast<char>(183);  // e_machine: arm64
  EXPECT_NE(error_of(write("arm", content)).find("x86-64"), std::string::npos);
}

TEST_F(BinaryTest, DamagedFilesNeverCrashTheInspection) {
  const std::string content = content_of(HEDDLE_FAKE_PROGRAM);
  for (size_t size = 1; size < content.size(); size += content.size() / 97 + 1) {
    static_cast<void>(inspect_binary(write("cut", content.substr(0, size))));
  }
  // A fixed pseudo-random sequence, so that a failure can be looked at.
  uint32_t random = 1;
  for (int i = 0; i < 300; ++i) {
    std::string damaged = content;
    for (int change = 0; change < 8; ++change) {
      random = random * 1664525 + 1013904223;
      const size_t header_or_body = (random >> 16) % 3 == 0 ? damaged.size() : 4096;
      damaged[(random >> 8) % header_or_body] = static_cast<char>(random >> 24);
    }
    static_cast<void>(inspect_binary(write("damaged", damaged)));
  }
}

TEST_F(BinaryTest, ProgramsAreFoundAsTheShellFindsThem) {
  EXPECT_EQ(resolve_program({.argv = {"./sh"}, .directory = "/bin"}).value(), "/bin/sh");
  EXPECT_TRUE(resolve_program({.argv = {"sh"}}));
  const Expected<std::string> missing = resolve_program({.argv = {"no-such-program"}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, Error::Kind::kUsage);
  write("tool", "x");
  const Expected<std::string> bare = resolve_program({.argv = {"tool"}, .directory = folder_.string()});
  ASSERT_FALSE(bare);
  EXPECT_NE(bare.error().message.find("./tool"), std::string::npos);
}

}  // namespace
}  // namespace heddle
