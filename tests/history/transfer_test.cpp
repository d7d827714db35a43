// Histories that are carried about in files.
#include "history/transfer.h"

#include "project.h"
#include "record.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

class Transfer : public testing::Test {
 protected:
  Transfer() {
    for (int i = 0; i < 50; ++i)
      EXPECT_TRUE(history_.records().save(record_of("test " + std::to_string(i)), kTree));
  }
  std::string path(const std::string& name) const { return (project_.root() / name).string(); }
  size_t tests_of(History& history) { return history.records().load_all(0)->size(); }

  Project project_;
  Project other_;
  History history_ = open_history(project_.history());
  History theirs_ = open_history(other_.history());
};

TEST_F(Transfer, BringsEverythingCompressedOrNot) {
  for (const char* name : {"plain.db", "small.db.zst"}) {
    ASSERT_TRUE(export_history(history_, path(name)));
    Project third;
    History history = open_history(third.history());
    ASSERT_TRUE(import_history(history, path(name)));
    EXPECT_EQ(tests_of(history), 50u);
  }
  EXPECT_LT(fs::file_size(path("small.db.zst")), fs::file_size(path("plain.db")) / 2);
  // No other file is left.
  EXPECT_EQ(std::distance(fs::directory_iterator(project_.root()), {}), 4);
}

TEST_F(Transfer, ReplacesAFileAsAWhole) {
  write_bytes(path("x.zst"), "old");
  ASSERT_TRUE(export_history(history_, path("x.zst")));
  EXPECT_TRUE(import_history(theirs_, path("x.zst")));
  EXPECT_FALSE(export_history(history_, path("no/such/folder/x.zst")));
}

TEST_F(Transfer, ADamagedFileChangesNothing) {
  ASSERT_TRUE(export_history(history_, path("x.zst")));
  const std::string bytes = read_bytes(path("x.zst"));
  for (const size_t size : {size_t{3}, size_t{10}, bytes.size() / 2, bytes.size() - 1}) {
    write_bytes(path("y.zst"), bytes.substr(0, size));
    EXPECT_FALSE(import_history(theirs_, path("y.zst"))) << size;
  }
  std::string damaged = bytes;
  damaged[bytes.size() / 2] = static_cast<char>(~damaged[bytes.size() / 2]);
  write_bytes(path("y.zst"), damaged);
  EXPECT_FALSE(import_history(theirs_, path("y.zst")));
  EXPECT_FALSE(import_history(theirs_, path("nothing.zst")));
  EXPECT_EQ(tests_of(theirs_), 0u);
}

}  // namespace
}  // namespace heddle
