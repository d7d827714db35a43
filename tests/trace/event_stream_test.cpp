#include "trace/event_stream.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "temp_folder.h"
#include "trace/std_text.h"
#include "trace/trace_builder.h"
#include "trace/trace_file.h"

namespace heddle::trace {
namespace {

Trace some_trace() {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  child.write(x);
  main.join(child);
  return b.build();
}

// The fork twice, which no program can do.
Trace impossible_trace() {
  TraceBuilder b;
  auto main = b.main_thread();
  main.fork();
  b.tables().events.push_back(b.tables().events.front());
  return b.build();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Reads from a pipe into which `bytes` are written.
template <typename Read>
auto through_pipe(const std::string& path, const std::string& bytes, const Read& read) {
  EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
  auto result = read(path);
  writer.join();
  return result;
}

TEST(EventStream, BinaryAndTextAreReadFromPipesToo) {
  const TempFolder folder;
  const Trace trace = some_trace();
  ASSERT_TRUE(write_trace(folder.file("t"), trace));
  ASSERT_TRUE(write_trace(folder.file("t.zst"), trace));
  for (const char* name : {"t", "t.zst"}) {
    const auto read =
        through_pipe(folder.file(std::string(name) + ".pipe"), bytes_of(folder.file(name)), read_execution);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(trace_hash(*read), trace_hash(trace)) << name;
    auto stream =
        through_pipe(folder.file(std::string(name) + ".stream"), bytes_of(folder.file(name)), open_events);
    ASSERT_TRUE(stream) << stream.error().message;
    EXPECT_EQ((*stream)->next()->size(), trace.events().size());
  }
  const std::string text = "T0|w(x)|1\nT0|w(y)|2\n";
  const auto read = through_pipe(folder.file("text"), text, read_execution);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_std_text(*read), text);
}

TEST(EventStream, WhatCannotHaveHappenedIsRefusedHoweverItIsOpened) {
  const TempFolder folder;
  ASSERT_TRUE(write_trace(folder.file("t"), impossible_trace()));
  const auto stream = open_events(folder.file("t"));
  ASSERT_TRUE(stream);
  const auto events = (*stream)->next();
  ASSERT_FALSE(events);
  EXPECT_NE(events.error().message.find("at event 2: main/1 is forked"), std::string::npos)
      << events.error().message;
  const auto trace = read_execution(folder.file("t"));
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().message, events.error().message);
}

TEST(EventStream, NothingAtAllIsAnError) {
  const TempFolder folder;
  std::ofstream(folder.file("empty")) << "";
  std::ofstream(folder.file("blank")) << "\n\n";
  ASSERT_TRUE(write_trace(folder.file("t"), TraceBuilder().build()));
  for (const std::string& path :
       {folder.file("empty"), folder.file("blank"), folder.file("t"), std::string("/dev/null")}) {
    const auto trace = read_execution(path);
    ASSERT_FALSE(trace) << path;
    EXPECT_EQ(trace.error().message, path + " has no events");
    auto stream = open_events(path);
    ASSERT_TRUE(stream);
    const auto events = (*stream)->next();
    ASSERT_FALSE(events) << path;
    EXPECT_EQ(events.error().message, path + " has no events");
  }
}

TEST(EventStream, AccessesFarBeyondTheirBlockAreDamage) {
  const TempFolder folder;
  const auto read_with_size = [&](uint32_t size) {
    TraceBuilder b;
    auto main = b.main_thread();
    const auto block = main.allocate(24);
    main.write(block.part(8, size));
    EXPECT_TRUE(write_trace(folder.file("t"), b.build()));
    return read_execution(folder.file("t"));
  };
  EXPECT_TRUE(read_with_size(16));
  EXPECT_TRUE(read_with_size(100)) << "programs do write beyond the end";
  const auto trace = read_with_size(989'855'752);
  ASSERT_FALSE(trace);
  EXPECT_NE(trace.error().message.find(" is damaged at byte "), std::string::npos) << trace.error().message;
  EXPECT_TRUE(trace.error().message.ends_with(
      "record 1 of table events: an access to 989855752 bytes at offset 8 of object 3, which has 24"))
      << trace.error().message;
}

TEST(EventStream, AFileThatShrinksIsToldAndNotFollowed) {
  const TempFolder folder;
  const std::string path = folder.file("t");
  ASSERT_TRUE(write_trace(path, some_trace()));
  const auto size = std::filesystem::file_size(path);
  auto file = InputFile::open(path);
  ASSERT_TRUE(file);
  std::filesystem::resize_file(path, size / 2);
  const auto trace = read_trace(std::move(*file));
  ASSERT_FALSE(trace);
  EXPECT_NE(trace.error().message.find(path + " changed while it was read"), std::string::npos)
      << trace.error().message;
}

// More events than are read at a time.
Trace long_trace() {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  for (int i = 0; i < 20'000; ++i) main.write(x.part(static_cast<uint64_t>(i) % 64, 1));
  return b.build();
}

TEST(EventStream, FilesComeInPartsThatMakeTheWhole) {
  const TempFolder folder;
  const Trace trace = long_trace();
  ASSERT_TRUE(write_trace(folder.file("t"), trace));
  const auto stream = open_events(folder.file("t"));
  ASSERT_TRUE(stream) << stream.error().message;
  std::vector<EventRecord> events;
  int parts = 0;
  auto part = (*stream)->next();
  for (; part && !part->empty(); part = (*stream)->next()) {
    events.insert(events.end(), part->begin(), part->end());
    parts++;
  }
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_GT(parts, 2);
  ASSERT_EQ(events.size(), trace.events().size());
  EXPECT_EQ(std::memcmp(events.data(), trace.events().data(), trace.events().size_bytes()), 0);
  const auto names = (*stream)->names();
  ASSERT_TRUE(names) << names.error().message;
  EXPECT_EQ(trace_hash(*names), trace_hash(trace));
}

TEST(EventStream, DamageInALaterPartIsToldWithItsPlace) {
  const TempFolder folder;
  const std::string path = folder.file("t");
  ASSERT_TRUE(write_trace(path, long_trace()));
  std::string bytes = bytes_of(path);
  TraceHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const size_t at =
      header.tables[static_cast<size_t>(TableId::kEvents)].offset + 19'000 * sizeof(EventRecord);
  EventRecord event;
  std::memcpy(&event, bytes.data() + at, sizeof(event));
  event.thread = 77;
  std::memcpy(bytes.data() + at, &event, sizeof(event));
  std::ofstream(path, std::ios::binary) << bytes;

  const auto whole = read_execution(path);
  ASSERT_FALSE(whole);
  EXPECT_NE(whole.error().message.find(fmt::format("damaged at byte {}: record 19000", at)),
            std::string::npos)
      << whole.error().message;
  const auto stream = open_events(path);
  ASSERT_TRUE(stream) << stream.error().message;
  auto part = (*stream)->next();
  while (part && !part->empty()) part = (*stream)->next();
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().message, whole.error().message);
}

TEST(EventStream, AFileThatShrinksBetweenPartsIsTold) {
  const TempFolder folder;
  const std::string path = folder.file("t");
  ASSERT_TRUE(write_trace(path, long_trace()));
  const auto stream = open_events(path);
  ASSERT_TRUE(stream) << stream.error().message;
  ASSERT_TRUE((*stream)->next());
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  auto part = (*stream)->next();
  while (part && !part->empty()) part = (*stream)->next();
  ASSERT_FALSE(part);
  EXPECT_NE(part.error().message.find(path + " changed while it was read"), std::string::npos)
      << part.error().message;
  EXPECT_FALSE((*stream)->names());
}

TEST(EventStream, WhatWasReadDoesNotChangeWithTheFile) {
  const TempFolder folder;
  const std::string path = folder.file("t");
  ASSERT_TRUE(write_trace(path, some_trace()));
  const auto trace = read_trace(path);
  ASSERT_TRUE(trace);
  const uint64_t hash = trace_hash(*trace);
  std::filesystem::resize_file(path, 0);
  EXPECT_EQ(trace_hash(*trace), hash);
}

}  // namespace
}  // namespace heddle::trace
