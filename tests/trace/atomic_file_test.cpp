#include "trace/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "temp_folder.h"

namespace heddle::trace {
namespace {

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// While it lives, writing beyond `bytes` into any file fails, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit = {bytes, old_limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int);
};

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  TempFolder folder;
  const std::string path = folder.file("out");
  auto file = AtomicFile::create(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("hello "));
  ASSERT_TRUE(file->write("world"));
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(content_of(path), "hello world");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"out"});
}

TEST(AtomicFile, LeavesTheOldFileWhenDropped) {
  TempFolder folder;
  const std::string path = folder.file("out");
  std::ofstream(path) << "old";
  {
    auto file = AtomicFile::create(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("new"));
  }
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"out"});
}

TEST(AtomicFile, LeavesNothingBehindOnAFullDisk) {
  TempFolder folder;
  const std::string path = folder.file("out");
  {
    const FileSizeLimit limit(1000);
    auto file = AtomicFile::create(path);
    ASSERT_TRUE(file);
    const auto written = file->write(std::string(5000, 'x'));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message, "cannot write " + path + ": File too large");
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(AtomicFile, WritesIntoDevicesInsteadOfReplacingThem) {
  auto null = AtomicFile::create("/dev/null");
  ASSERT_TRUE(null);
  ASSERT_TRUE(null->write("x"));
  ASSERT_TRUE(null->commit());
  struct stat status = {};
  ASSERT_EQ(stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));

  auto full = AtomicFile::create("/dev/full");
  ASSERT_TRUE(full);
  const auto written = full->write("x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot write /dev/full: No space left on device");
}

TEST(AtomicFile, FollowsSymbolicLinks) {
  TempFolder folder;
  std::ofstream(folder.file("target")) << "old";
  std::filesystem::create_symlink("target", folder.file("link"));
  auto file = AtomicFile::create(folder.file("link"));
  ASSERT_TRUE(file && file->write("new") && file->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(content_of(folder.file("target")), "new");
}

TEST(AtomicFile, SaysWhyItCannotWrite) {
  TempFolder folder;
  const std::string missing = folder.file("no/such/folder/out");
  EXPECT_EQ(AtomicFile::create(missing).error().message,
            "cannot write " + missing + ": No such file or directory");
  const std::string path = folder.path().string();
  EXPECT_EQ(AtomicFile::create(path).error().message, "cannot write " + path + ": Is a directory");
}

}  // namespace
}  // namespace heddle::trace
