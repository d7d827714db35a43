// Files that are not as they should be, and folders that cannot be written.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <random>

#include "history/database.h"
#include "project.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kNoPatience{1};

class HistoryFile : public testing::Test {
 protected:
  // A history of some pages with one pair.
  void make_history() {
    project_.write("queue.cpp", "text");
    History history = open_history(file_);
    TestMemory memory = pair_memory(statement_, statement_);
    for (uint64_t i = 0; i < 1000; ++i)
      memory.points.push_back({i, i, 8, trace::PointKind::kHeap, trace::PointGrade::kPoint});
    save(history, Project::build("1"), memory);
  }

  std::string error_of_open() {
    const Expected<History> history = History::open(file_, {.patience = kNoPatience});
    return history ? "" : history.error().message;
  }

  // It is an error to open the file, which stays as it is.
  void expect_refused(const std::string& reason) {
    const std::string bytes = read_bytes(file_);
    const std::string error = error_of_open();
    EXPECT_NE(error.find(file_), std::string::npos) << error;
    EXPECT_NE(error.find(reason), std::string::npos) << error;
    EXPECT_EQ(read_bytes(file_), bytes);
  }

  size_t files_in_folder() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(fs::path(file_).parent_path()), {}));
  }

  Project project_;
  const std::string file_ = project_.history();
  const Statement statement_ = statement_at("queue.cpp", 10);
};

TEST_F(HistoryFile, IsTheOnlyOneAfterUseButForWhatGitIsToIgnore) {
  make_history();
  EXPECT_EQ(files_in_folder(), 2u);
  EXPECT_TRUE(fs::exists(fs::path(file_).parent_path() / ".gitignore"));
}

TEST_F(HistoryFile, ThatIsEmptyIsANewHistory) {
  write_bytes(file_, "");
  make_history();
}

TEST_F(HistoryFile, ThatIsNoDatabaseIsRefused) {
  write_bytes(file_, "to be, or not to be");
  expect_refused("damaged");
  write_bytes(file_, std::string(100'000, 'x'));
  expect_refused("damaged");
}

TEST_F(HistoryFile, ThatIsTruncatedIsRefused) {
  make_history();
  const std::string bytes = read_bytes(file_);
  for (const size_t size : {bytes.size() - 4096, bytes.size() / 2, size_t{5000}, size_t{4096}, size_t{50}}) {
    write_bytes(file_, bytes.substr(0, size));
    expect_refused("damaged");
  }
}

TEST_F(HistoryFile, WithADamagedPageIsRefused) {
  make_history();
  const std::string bytes = read_bytes(file_);
  for (size_t page = 1; page < bytes.size() / 4096; ++page) {
    std::string damaged = bytes;
    damaged.replace(page * 4096, 200, 200, '\xff');
    write_bytes(file_, damaged);
    expect_refused("damaged");
  }
}

// Whatever a bad disk makes of it: it is refused and left alone, or it can be used.
TEST_F(HistoryFile, WithDamagedBytesIsRefusedOrUsed) {
  make_history();
  const std::string bytes = read_bytes(file_);
  std::mt19937_64 random(1);
  size_t refused = 0;
  for (int i = 0; i < 200; ++i) {
    std::string damaged = bytes;
    for (int j = 0; j < 20; ++j) damaged[random() % damaged.size()] = static_cast<char>(random());
    write_bytes(file_, damaged);
    Expected<History> history = History::open(file_, {.patience = kNoPatience});
    if (history) {
      static_cast<void>(history->load(test_command(), Project::build("1")));
    } else {
      ++refused;
      EXPECT_EQ(read_bytes(file_), damaged);
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST_F(HistoryFile, OfANewerHeddleIsRefused) {
  make_history();
  Database(file_, Database::Mode::kReadWrite, kNoPatience).execute("PRAGMA user_version = 1000");
  expect_refused("newer heddle");
}

TEST_F(HistoryFile, OfAnotherProgramIsRefused) {
  fs::create_directories(fs::path(file_).parent_path());
  Database(file_, Database::Mode::kReadWrite, kNoPatience).execute("CREATE TABLE recipes (name TEXT)");
  expect_refused("another program");
}

TEST_F(HistoryFile, ThatIsAFolderIsRefused) {
  fs::create_directories(file_);
  EXPECT_EQ(error_of_open(), "the history " + file_ + " is not a file");
}

TEST_F(HistoryFile, WhoseFolderIsAFileIsRefused) {
  const std::string folder = fs::path(file_).parent_path();
  write_bytes(folder, "");
  EXPECT_EQ(error_of_open(), "the folder " + folder + " for the history cannot be made: Not a directory");
}

TEST_F(HistoryFile, ThatIsLockedCanBeReadButNotSaved) {
  make_history();
  Expected<History> history = History::open(file_, {.patience = kNoPatience});
  ASSERT_TRUE(history);
  {
    Database other(file_, Database::Mode::kReadWrite, kNoPatience);
    other.execute("BEGIN EXCLUSIVE");
    EXPECT_EQ(load(*history, Project::build("1")).sets.size(), 1u);
    const Expected<void> saved = history->save(test_command(), Project::build("1"), {});
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().message,
              "the history " + file_ + " is locked by another process; try again when that has ended");
    EXPECT_EQ(error_of_open(), "");
  }
  save(*history, Project::build("1"), {});
}

TEST_F(HistoryFile, ThatAnotherProcessKeepsForItselfIsAnError) {
  make_history();
  Database other(file_, Database::Mode::kReadWrite, kNoPatience);
  other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; PRAGMA user_version = 1; COMMIT");
  EXPECT_NE(error_of_open().find("is locked by another process"), std::string::npos);
}

// For root, permissions are no obstacle: the test becomes somebody else while it needs one.
class Unprivileged {
 public:
  Unprivileged() {
    if (::geteuid() == 0) was_root_ = ::seteuid(65534) == 0;
  }
  ~Unprivileged() {
    if (was_root_ && ::seteuid(0) != 0) ADD_FAILURE();
  }

 private:
  bool was_root_ = false;
};

class ReadOnlyHistory : public HistoryFile {
 protected:
  // The way there must be open to everybody, which the folder of a build need not be.
  ReadOnlyHistory() {
    std::string name = "/tmp/heddle-history-XXXXXX";
    folder_ = ::mkdtemp(name.data());
    copy_ = (folder_ / "history.db").string();
  }
  ~ReadOnlyHistory() override {
    fs::permissions(folder_, fs::perms(0755));
    fs::remove_all(folder_);
  }

  void copy_history() {
    make_history();
    fs::copy_file(file_, copy_);
    fs::permissions(copy_, fs::perms(0644));
  }

  // Can be read, but saving is an error that says why.
  void expect_read_only(size_t pairs) {
    const std::string bytes = read_bytes(copy_);
    {
      const Unprivileged nobody;
      Expected<History> history = History::open(copy_, {.patience = kNoPatience});
      ASSERT_TRUE(history) << history.error().message;
      EXPECT_EQ(history->read_only_reason(),
                "the history " + copy_ +
                    " cannot be written (Permission denied); nothing new will be "
                    "remembered");
      EXPECT_EQ(load(*history, Project::build("1")).sets.size(), pairs);
      EXPECT_TRUE(history->load_verdict(Project::build("1"), "of a race"));
      const Expected<void> saved =
          history->save(test_command(), Project::build("1"), pair_memory(statement_, statement_));
      ASSERT_FALSE(saved);
      EXPECT_EQ(saved.error().message, history->read_only_reason());
      EXPECT_FALSE(history->merge_from(file_));
    }
    EXPECT_EQ(read_bytes(copy_), bytes);
  }

  fs::path folder_;
  std::string copy_;
};

TEST_F(ReadOnlyHistory, InAReadOnlyFolderCanBeRead) {
  copy_history();
  fs::permissions(copy_, fs::perms(0666));
  fs::permissions(folder_, fs::perms(0555));
  expect_read_only(1);
}

TEST_F(ReadOnlyHistory, WhoseFileIsReadOnlyCanBeRead) {
  copy_history();
  fs::permissions(copy_, fs::perms(0444));
  fs::permissions(folder_, fs::perms(0777));
  expect_read_only(1);
}

TEST_F(ReadOnlyHistory, OfAnOlderHeddleCanBeRead) {
  copy_history();
  {
    Database database(copy_, Database::Mode::kReadWrite, kNoPatience);
    database.execute(kToSecondVersion);
    database.execute(kToFirstVersion);
  }
  fs::permissions(copy_, fs::perms(0444));
  fs::permissions(folder_, fs::perms(0555));
  expect_read_only(1);
}

TEST_F(ReadOnlyHistory, ThatCannotBeMadeIsEmpty) {
  fs::permissions(folder_, fs::perms(0555));
  expect_read_only(0);
}

TEST_F(ReadOnlyHistory, WhoseFolderCannotBeMadeIsEmpty) {
  copy_ = (folder_ / "below/history.db").string();
  fs::permissions(folder_, fs::perms(0555));
  expect_read_only(0);
}

TEST_F(ReadOnlyHistory, IsReadWhileItIsInUse) {
  copy_history();
  History writer = open_history(copy_);
  save(writer, Project::build("1"), pair_memory(statement_, statement_at("queue.cpp", 11)));
  for (const char* suffix : {"-wal", "-shm"}) fs::permissions(copy_ + suffix, fs::perms(0644));
  fs::permissions(folder_, fs::perms(0555));
  expect_read_only(2);
}

}  // namespace
}  // namespace heddle
