#include "trace/trace_file.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include <fmt/format.h>

#include "random_trace.h"
#include "temp_folder.h"
#include "trace/trace_builder.h"
#include "trace/validate.h"

namespace heddle::trace {
namespace {

std::string bytes_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void expect_equal(const Trace& a, const Trace& b) {
  for (size_t i = 1; i < kTableCount; ++i) {  // the string table may have gained the labels
    const auto left = a.table_bytes(static_cast<TableId>(i)), right = b.table_bytes(static_cast<TableId>(i));
    ASSERT_EQ(left.size(), right.size()) << i;
    ASSERT_TRUE(left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0) << i;
  }
  for (uint32_t offset = 0; offset < std::min(a.strings().size(), b.strings().size()); ++offset) {
    ASSERT_EQ(a.string(offset), b.string(offset));
  }
  EXPECT_EQ(std::memcmp(&a.outcome(), &b.outcome(), sizeof(OutcomeRecord)), 0);
  EXPECT_EQ(a.events_dropped(), b.events_dropped());
  EXPECT_EQ(a.events_lost(), b.events_lost());
  EXPECT_EQ(a.command(), b.command());
  EXPECT_EQ(a.policy(), b.policy());
  EXPECT_EQ(trace_hash(a), trace_hash(b));
}

Trace small_trace() {
  TraceBuilder b;
  auto x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  child.write(x).at(1);
  main.read(x).at(2).join(child);
  b.describe({"./prog", "--x", "two\nlines", "back\\slash", ""}, "random seed 7");
  return b.build();
}

// The bytes of a trace file, to be damaged.
class Image {
 public:
  explicit Image(const Trace& trace = small_trace()) {
    const TempFolder folder;
    EXPECT_TRUE(write_trace(folder.file("t.trace"), trace));
    bytes = bytes_of_file(folder.file("t.trace"));
  }

  TraceHeader& header() { return *reinterpret_cast<TraceHeader*>(bytes.data()); }
  TableRecord& table(TableId id) { return header().tables[static_cast<size_t>(id)]; }
  template <TableId id>
  RecordOf<id>& record(size_t index) {
    return reinterpret_cast<RecordOf<id>*>(bytes.data() + table(id).offset)[index];
  }

  std::string error() const {
    const auto trace = read_trace_bytes(bytes, "t.trace");
    EXPECT_FALSE(trace);
    return trace ? "" : trace.error().message;
  }

  std::string bytes;
};

TEST(TraceFile, SurvivesWritingAndReading) {
  const TempFolder folder;
  const std::string path = folder.file("t.trace");
  ASSERT_TRUE(write_trace(path, small_trace()));
  const auto trace = read_trace(path);
  ASSERT_TRUE(trace) << trace.error().message;
  expect_equal(*trace, small_trace());
  EXPECT_EQ(trace->command(), (std::vector<std::string>{"./prog", "--x", "two\nlines", "back\\slash", ""}));
  EXPECT_EQ(trace->thread_name(1), "main/1");
}

TEST(TraceFile, OutlivesItsName) {
  const TempFolder folder;
  const std::string path = folder.file("t.trace");
  ASSERT_TRUE(write_trace(path, small_trace()));
  const auto trace = read_trace(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(trace);
  expect_equal(*trace, small_trace());
}

TEST(TraceFile, WrittenAgainIsTheSameFile) {
  const TempFolder folder;
  ASSERT_TRUE(write_trace(folder.file("a"), small_trace()));
  ASSERT_TRUE(write_trace(folder.file("b"), *read_trace(folder.file("a"))));
  EXPECT_EQ(bytes_of_file(folder.file("a")), bytes_of_file(folder.file("b")));
}

TEST(TraceFile, HoldsTheExecutionInWhichNothingHappened) {
  const TempFolder folder;
  ASSERT_TRUE(write_trace(folder.file("t"), Trace()));
  const auto trace = read_trace(folder.file("t"));
  ASSERT_TRUE(trace) << trace.error().message;
  expect_equal(*trace, Trace());
}

TEST(TraceFile, AnyTraceSurvivesWritingAndReading) {
  const TempFolder folder;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Trace original = random_trace(seed);
    const std::string path = folder.file(seed % 2 == 0 ? "t.trace" : "t.trace.zst");
    ASSERT_TRUE(write_trace(path, original));
    const auto trace = read_trace(path);
    ASSERT_TRUE(trace) << trace.error().message;
    expect_equal(*trace, original);
  }
}

TEST(TraceFile, AnyDamageIsRefusedOrHarmless) {
  std::mt19937_64 random(1);
  const Image intact(random_trace(5));
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = intact.bytes;
    for (uint64_t flips = 1 + random() % 4; flips > 0; --flips) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    const auto trace = read_trace_bytes(bytes, "t.trace");
    if (trace) {
      EXPECT_FALSE(validate(*trace));
    } else {
      EXPECT_NE(trace.error().message.find("t.trace"), std::string::npos);
      EXPECT_EQ(trace.error().message.find('\n'), std::string::npos);
    }
  }
}

TEST(TraceFile, IsCompressedIfItsNameSaysSo) {
  const TempFolder folder;
  TraceBuilder b;
  auto x = b.global();
  for (int i = 0; i < 10000; ++i) {
    b.main_thread().read(x).at(1);
  }
  const Trace trace = b.build();
  ASSERT_TRUE(write_trace(folder.file("t.trace"), trace));
  ASSERT_TRUE(write_trace(folder.file("t.trace.zst"), trace));
  EXPECT_LT(std::filesystem::file_size(folder.file("t.trace.zst")) * 10,
            std::filesystem::file_size(folder.file("t.trace")));
  std::filesystem::rename(folder.file("t.trace.zst"), folder.file("renamed"));
  const auto read = read_trace(folder.file("renamed"));
  ASSERT_TRUE(read) << read.error().message;
  expect_equal(*read, trace);
}

TEST(TraceFile, LeavesNothingBehindWhenItCannotBeWritten) {
  const TempFolder folder;
  const std::string path = folder.file("no/folder/t.trace");
  EXPECT_EQ(write_trace(path, small_trace()).error().message,
            "cannot write " + path + ": No such file or directory");
  EXPECT_EQ(write_trace("/dev/full", small_trace()).error().message,
            "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(folder.names().empty());
}

TEST(TraceFile, IsNotWrittenFromADamagedTrace) {
  const TempFolder folder;
  TraceTables tables;
  tables.steps.push_back({});
  const auto written = write_trace(folder.file("t"), Trace::from_tables(std::move(tables)));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, Error::Kind::kInternal);
  EXPECT_TRUE(folder.names().empty());
}

TEST(TraceFile, ThatIsMissingOrAFolderIsNamed) {
  const TempFolder folder;
  const std::string path = folder.file("t.trace");
  EXPECT_EQ(read_trace(path).error().message, "cannot read " + path + ": No such file or directory");
  EXPECT_EQ(read_trace(folder.path().string()).error().message,
            "cannot read " + folder.path().string() + ": Is a directory");
  std::ofstream(path).flush();
  EXPECT_EQ(read_trace(path).error().message, path + " is empty, not a heddle trace");
  EXPECT_EQ(read_trace("/dev/null").error().message, "/dev/null is empty, not a heddle trace");
}

TEST(TraceFile, OfAnotherKindIsRefused) {
  Image image;
  image.bytes[0] = 'h';
  EXPECT_EQ(image.error(), "t.trace is not a heddle trace: it does not begin with HEDTRACE");
  image.bytes = "HED";
  EXPECT_EQ(image.error(), "t.trace is not a heddle trace: it does not begin with HEDTRACE");
}

TEST(TraceFile, OfANewerHeddleIsRefusedAndSaysSo) {
  Image image;
  image.header().version = kFormatVersion + 1;
  EXPECT_EQ(
      image.error(),
      fmt::format("t.trace was made by a newer heddle: it has trace format {}, and this one reads formats "
                  "up to {}",
                  kFormatVersion + 1, kFormatVersion));
  image.bytes.resize(100);  // its header may well be shorter
  EXPECT_NE(image.error().find("newer heddle"), std::string::npos);
  image.header().version = 0;
}

TEST(TraceFile, OfAnOlderHeddleIsRefusedAndSaysSo) {
  Image image;
  image.header().version = kFormatVersion - 1;
  EXPECT_EQ(image.error(),
            fmt::format("t.trace was made by an older heddle: it has trace format {}, and this one reads {}",
                        kFormatVersion - 1, kFormatVersion));
}

TEST(TraceFile, CutOffAnywhereIsRefused) {
  const Image intact;
  for (size_t size = 0; size < intact.bytes.size(); ++size) {
    Image image = intact;
    image.bytes.resize(size);
    ASSERT_NE(image.error(), "");
  }
  Image image = intact;
  image.bytes.pop_back();
  EXPECT_EQ(image.error(), "t.trace is truncated: it ends at byte " + std::to_string(image.bytes.size()) +
                               " instead of " + std::to_string(intact.bytes.size()));
  image.bytes.resize(100);
  EXPECT_EQ(image.error(), "t.trace is truncated: it ends at byte 100, within its header");
}

TEST(TraceFile, WithMoreBytesThanItSaysIsRefused) {
  Image image;
  const size_t size = image.bytes.size();
  image.bytes += "more";
  EXPECT_EQ(image.error(), "t.trace is damaged at byte " + std::to_string(size) +
                               ": there are bytes after the end of the trace");
}

TEST(TraceFile, WithADamagedHeaderIsRefused) {
  Image version;
  version.header().version = 0;
  EXPECT_EQ(version.error(), "t.trace is damaged at byte 8: there is no trace format 0");
  Image size;
  size.header().header_size = 8;
  EXPECT_NE(size.error().find("damaged at byte 12: a header of 8 bytes"), std::string::npos);
  Image label;
  label.header().policy = 100000;
  EXPECT_NE(label.error().find("string 100000 does not exist"), std::string::npos);
  Image dropped;
  dropped.header().events_dropped = UINT64_MAX;
  EXPECT_NE(dropped.error().find("an impossible number of missing events"), std::string::npos);
}

TEST(TraceFile, WithTablesOutOfPlaceIsRefused) {
  const auto error_of = [](auto change) {
    Image image;
    change(image);
    return image.error();
  };
  for (const uint64_t offset : {uint64_t{0}, uint64_t{8}, UINT64_MAX, UINT64_MAX - 7}) {
    EXPECT_NE(error_of([&](Image& i) {
                i.table(TableId::kEvents).offset = offset;
              }).find("table events cannot begin at byte " + std::to_string(offset)),
              std::string::npos);
  }
  EXPECT_NE(error_of([](Image& i) { i.table(TableId::kSites).offset += 4; }).find("table sites cannot begin"),
            std::string::npos);
  EXPECT_NE(error_of([](Image& i) { i.table(TableId::kSites).capacity++; }).find("has room for"),
            std::string::npos);
  for (const uint64_t count : {uint64_t{100}, UINT64_MAX, UINT64_MAX / 32 + 1}) {
    EXPECT_NE(error_of([&](Image& i) {
                i.table(TableId::kEvents).count = i.table(TableId::kEvents).capacity = count;
              }).find("reaches beyond the end of the file"),
              std::string::npos);
  }
  EXPECT_NE(error_of([](Image& i) {
              i.table(TableId::kSites).offset = i.table(TableId::kThreads).offset;
            }).find("overlaps"),
            std::string::npos);
}

TEST(TraceFile, WithADamagedRecordSaysWhere) {
  Image event;
  event.record<TableId::kEvents>(2).kind = static_cast<EventKind>(99);
  EXPECT_EQ(event.error(),
            "t.trace is damaged at byte " +
                std::to_string(event.table(TableId::kEvents).offset + 2 * sizeof(EventRecord)) +
                ": record 2 of table events: unknown event kind 99");
  Image strings;
  strings.record<TableId::kStrings>(strings.table(TableId::kStrings).count - 1) = 'x';
  EXPECT_NE(strings.error().find("the last string is not terminated"), std::string::npos);
  Image outcome;
  outcome.header().outcome.kind = OutcomeKind::kCount;
  EXPECT_NE(outcome.error().find("outcome: unknown outcome kind 16"), std::string::npos);
}

std::string compressed(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

TEST(CompressedTraceFile, DamagedOrCutOffIsRefused) {
  const TempFolder folder;
  ASSERT_TRUE(write_trace(folder.file("t.zst"), random_trace(5)));
  const Image intact = [&] {
    Image image;
    image.bytes = bytes_of_file(folder.file("t.zst"));
    return image;
  }();
  ASSERT_TRUE(read_trace_bytes(intact.bytes, "t"));
  for (size_t size = 4; size < intact.bytes.size(); ++size) {
    Image image = intact;
    image.bytes.resize(size);
    ASSERT_NE(image.error().find("truncated or damaged"), std::string::npos);
  }
  for (size_t at = 12; at < intact.bytes.size(); ++at) {
    Image image = intact;
    image.bytes[at] ^= 0x55;
    // A few bits of a frame mean nothing; the checksum vouches for the rest.
    if (const auto trace = read_trace_bytes(image.bytes, "t"); trace) {
      expect_equal(*trace, random_trace(5));
    } else {
      EXPECT_NE(trace.error().message.find("truncated or damaged"), std::string::npos) << at;
    }
  }
}

TEST(CompressedTraceFile, IsReadAsCarefullyAsAnyOther) {
  Image image;
  image.record<TableId::kEvents>(0).thread = 9;
  image.bytes = compressed(image.bytes);
  EXPECT_NE(image.error().find("record 0 of table events: thread 9 does not exist"), std::string::npos);
  image.bytes = compressed("");
  EXPECT_NE(image.error(), "");
  image.bytes = compressed("hello");
  EXPECT_EQ(image.error(), "t.trace is not a heddle trace: it does not begin with HEDTRACE");
}

TEST(CompressedTraceFile, ThatWouldFillTheMemoryIsRefusedUnread) {
  // A frame header alone: single segment, content size in eight bytes (RFC 8878, section 3.1.1).
  Image image;
  const uint64_t size = kMaxExpandedTrace + 1;
  image.bytes.assign("\x28\xb5\x2f\xfd\xe0", 5);
  image.bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  image.bytes.append(100, '\0');
  EXPECT_EQ(
      image.error(),
      "t.trace would expand to 4294967297 bytes, over the limit of 4294967296: if it is really a trace, "
      "expand it with 'zstd -d' first");
}

TEST(CompressedTraceFile, ThatDoesNotSayItsSizeIsRefused) {
  Image image;
  // No single segment, a window, no content size.
  image.bytes.assign("\x28\xb5\x2f\xfd\x00\x58\x01\x00\x00", 9);
  EXPECT_NE(image.error().find("does not say how large it gets"), std::string::npos);
}

}  // namespace
}  // namespace heddle::trace
