#include "trace/std_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include <fmt/format.h>

#include "random_trace.h"
#include "temp_folder.h"
#include "trace/event_rules.h"
#include "trace/event_stream.h"
#include "trace/trace_builder.h"
#include "trace/trace_file.h"
#include "trace/validate.h"

namespace heddle::trace {
namespace {

Trace parsed(std::string_view text) {
  auto trace = read_std_text(text, "t.std");
  EXPECT_TRUE(trace) << trace.error().message;
  return trace ? *trace : Trace();
}

std::string reading_error(std::string_view text) {
  const auto trace = read_std_text(text, "t.std");
  return trace ? "no error" : trace.error().message;
}

TEST(StdText, LinesBecomeEvents) {
  const Trace trace = parsed(
      "T0|w(V12)|5\nT0|fork(T1)|6\nT1|acq(L3[45])|queue.cpp:7\nT1|r(V12)|8\nT1|rel(L3[45])|9\nT0|join(T1)|"
      "10\n");
  EXPECT_FALSE(validate(trace));
  ASSERT_EQ(trace.events().size(), 6u);
  const auto& events = trace.events();
  EXPECT_EQ(events[0].kind, EventKind::kWrite);
  EXPECT_EQ(events[1].kind, EventKind::kFork);
  EXPECT_EQ(events[1].peer, 1u);
  EXPECT_EQ(events[2].kind, EventKind::kLock);
  EXPECT_EQ(events[2].thread, 1u);
  EXPECT_EQ(events[3].kind, EventKind::kRead);
  EXPECT_EQ(events[3].object, events[0].object);
  EXPECT_EQ(events[4].kind, EventKind::kUnlock);
  EXPECT_EQ(events[4].object, events[2].object);
  EXPECT_EQ(events[5].kind, EventKind::kJoin);
  EXPECT_EQ(std_site(trace, events[2].site), "queue.cpp:7");
  EXPECT_EQ(std_object(trace, events[0].object), "V12");
  EXPECT_EQ(std_object(trace, events[2].object), "L3[45]");
  EXPECT_EQ(trace.thread_name(1), "main/1");
  EXPECT_EQ(trace.string(trace.threads()[1].name), "T1");
}

TEST(StdText, VariablesAndLocksOfOneNameAreApart) {
  const Trace trace = parsed("a|acq(x)|1\na|w(x)|2\na|rel(x)|3\n");
  EXPECT_NE(trace.events()[0].object, trace.events()[1].object);
  EXPECT_EQ(trace.events()[0].object, trace.events()[2].object);
}

TEST(StdText, NamesThatLookLikeOneNumberAreDifferent) {
  const Trace trace = parsed("T|w(V1)|1\nT|w(V01)|1\nT|w(1)|1\nT|w(W1)|1\nT|w(V1)|01\nT|w(V4000000000)|1\n");
  std::set<uint32_t> objects, sites;
  for (const EventRecord& event : trace.events()) {
    objects.insert(event.object);
    sites.insert(event.site);
  }
  EXPECT_EQ(objects.size(), 5u);
  EXPECT_EQ(sites.size(), 2u);
}

TEST(StdText, SparseNumbersCostNoMemoryOfTheirSize) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += fmt::format("T{}|w(V{})|{}\n", i * 900'001, i * 900'007, i * 900'011);
  text += text;
  const Trace trace = parsed(text);
  EXPECT_EQ(trace.threads().size(), 1000u);
  EXPECT_EQ(trace.sites().size(), 1001u);
}

TEST(StdText, LocksMayBeTakenAgainByTheirHolder) {
  const Trace trace = parsed("a|acq(m)|1\na|acq(m)|2\na|rel(m)|3\na|rel(m)|4\n");
  const auto is_inner = [&](size_t i) { return (trace.events()[i].flags & event_flag::kRecursive) != 0; };
  EXPECT_FALSE(is_inner(0));
  EXPECT_TRUE(is_inner(1));
  EXPECT_TRUE(is_inner(2));
  EXPECT_FALSE(is_inner(3));
}

TEST(StdText, WhatIsNotAnalysedIsPassedOver) {
  const Trace trace = parsed("\nT0|begin(f)|1\r\n\r\nT0|req(m)|2\nT0|w(x)|3\r\nT0|end|4\nT0|branch|5");
  ASSERT_EQ(trace.events().size(), 1u);
  EXPECT_EQ(std_site(trace, trace.events()[0].site), "3");
}

TEST(StdText, SeveralThreadsMayBeThereFromTheBeginning) {
  const Trace trace = parsed("b|w(x)|1\na|w(x)|2\nb|join(a)|3\nc|fork(d)|4\n");
  EXPECT_EQ(trace.threads().size(), 4u);
  EXPECT_FALSE(validate(trace));
}

TEST(StdText, ErrorsSayWhere) {
  EXPECT_EQ(reading_error("T0|w(x)|1\nT0|w(x\n"),
            "t.std:2:7: the line ends within the target: it should be thread|operation(target)|location");
  EXPECT_EQ(reading_error("T0"),
            "t.std:1:3: the line ends within the thread: it should be thread|operation(target)|location");
  EXPECT_EQ(reading_error("T0|w(x)\n"),
            "t.std:1:8: the location is missing: it should be thread|operation(target)|location");
  EXPECT_EQ(reading_error("T0|w(x)\r\n"),
            "t.std:1:9: the location is missing: it should be thread|operation(target)|location");
  EXPECT_EQ(reading_error("T0|w(x|1\n"), "t.std:1:7: ')' is missing after the target");
  EXPECT_EQ(reading_error("T0|w(x)|\n"), "t.std:1:9: the location is missing");
  EXPECT_EQ(reading_error("T0|w()|1\n"), "t.std:1:6: the target is missing");
  EXPECT_EQ(reading_error("|w(x)|1\n"), "t.std:1:1: the thread is missing");
  EXPECT_EQ(reading_error("T0|write(x)|1\n"), "t.std:1:4: 'write' is not one of r, w, acq, rel, fork, join");
  EXPECT_EQ(reading_error("T0|w[x]|1\n"), "t.std:1:5: '(' is missing after the operation");
  EXPECT_EQ(reading_error(std::string_view("T\0|w(x)|1\n", 10)),
            "t.std:1:2: the thread has a character that no name has: byte 0");
  EXPECT_EQ(reading_error(std::string_view("T0|w(x)|a\0b\n", 12)), "t.std:1:10: there is a NUL byte");
  EXPECT_EQ(reading_error(std::string_view("T0|begin(\0)|1\n", 14)), "t.std:1:10: there is a NUL byte");
}

TEST(StdText, ControlCharactersAreRefusedSinceTerminalsObeyThem) {
  EXPECT_EQ(reading_error("T0|w(x)|\x1b[31m\n"), "t.std:1:9: there is a control character: byte 27");
  EXPECT_EQ(reading_error("T0|w(x)|1\rT1|w(x)|2\n"), "t.std:1:10: there is a control character: byte 13");
  EXPECT_EQ(reading_error("T0|begin(f)|1\rT1|w(x)|2\n"), "t.std:1:14: there is a control character: byte 13");
  EXPECT_EQ(parsed("T0|w(x)|a\tb\n").events().size(), 1u);
}

TEST(StdText, AByteOrderMarkIsNoPartOfTheFirstName) {
  const Trace trace = parsed("\xef\xbb\xbfT0|w(x)|1\nT0|w(x)|2\n");
  EXPECT_EQ(trace.threads().size(), 1u);
  EXPECT_EQ(trace.events().size(), 2u);
}

TEST(StdText, TheLimitOfALineCountsAllOfIt) {
  const std::string name(kMaxStdLine - std::string_view("T0|w()|123").size(), 'x');
  EXPECT_EQ(parsed("T0|w(" + name + ")|123\n").events().size(), 1u);
  EXPECT_TRUE(reading_error("T0|w(" + name + ")|1234\n").ends_with("the line is longer than 65536 bytes"));
}

TEST(StdText, ImpossibleOrdersSayWhatIsWrong) {
  EXPECT_EQ(reading_error("T0|rel(m)|1\n"), "t.std:1:8: T0 releases m, which nobody holds");
  EXPECT_EQ(reading_error("T0|acq(m)|1\nT1|rel(m)|2\n"),
            "t.std:2:8: T1 releases m, which T0 holds since line 1");
  EXPECT_EQ(reading_error("T0|acq(m)|1\n\nT1|acq(m)|2\n"),
            "t.std:3:8: T1 acquires m, which T0 holds since line 1");
  EXPECT_EQ(reading_error("T0|join(T7)|1\n"),
            "t.std:1:9: T7 is joined, but no such thread has run or been forked");
  EXPECT_EQ(reading_error("T0|fork(T1)|1\nT0|fork(T1)|2\n"),
            "t.std:2:9: T1 is forked again: T0 forked it at line 1");
  EXPECT_EQ(reading_error("T1|w(x)|1\nT0|fork(T1)|2\n"),
            "t.std:2:9: T1 is forked, but it has been running since line 1");
  EXPECT_EQ(reading_error("T0|fork(T1)|1\nT0|join(T1)|2\nT1|w(x)|3\n"),
            "t.std:3:1: T1 goes on after T0 joined it at line 2");
  EXPECT_EQ(reading_error("T0|fork(T1)|1\nT0|join(T1)|2\nT0|fork(T1)|3\n"),
            "t.std:3:9: T1 is forked, but T0 joined it at line 2");
  EXPECT_EQ(reading_error("T0|fork(T0)|1\n"), "t.std:1:9: T0 forks itself");
  EXPECT_EQ(reading_error("T0|join(T0)|1\n"), "t.std:1:9: T0 joins itself");
}

TEST(StdText, LongLinesAreRefused) {
  const std::string megabyte(1 << 20, '7');
  for (const std::string& line : {megabyte, "T0|w(" + megabyte + ")|1", "T0|w(x)|" + megabyte,
                                  megabyte + "|w(x)|1", "T0|begin(" + megabyte + ")|1"}) {
    const std::string message = reading_error("T0|w(x)|1\n" + line + "\n");
    EXPECT_TRUE(message.starts_with("t.std:2:")) << message.substr(0, 100);
    EXPECT_TRUE(message.ends_with("the line is longer than 65536 bytes")) << message.substr(0, 100);
  }
}

TEST(StdText, ManyVariablesWorkAndTooManyThreadsAreRefused) {
  constexpr uint32_t kMany = 1 << 20;
  std::string text;
  for (uint32_t i = 0; i < kMany; ++i) fmt::format_to(std::back_inserter(text), "T0|w(V{})|1\n", i);
  EXPECT_EQ(parsed(text).objects().size(), kMany + 2);
  text.clear();
  for (uint32_t i = 0; i <= kMaxStdThreads; ++i) fmt::format_to(std::back_inserter(text), "T{}|w(x)|1\n", i);
  EXPECT_EQ(reading_error(text),
            fmt::format("t.std:{}:1: there are more than {} threads", kMaxStdThreads + 1, kMaxStdThreads));
}

TEST(StdText, FilesAreReadInPiecesOfAnySize) {
  TempFolder folder;
  std::string text;
  for (int i = 0; i < 300'000; ++i)
    text += fmt::format("T{}|w(V{})|file{}.cpp:{}\n", i % 7, i % 1000, i % 3, i);
  std::ofstream(folder.file("t.std")) << text;
  const auto trace = read_std(folder.file("t.std"));
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->events().size(), 300'000u);
  EXPECT_EQ(to_std_text(*trace), text);
}

TEST(StdText, FoldersAndMissingFilesAreErrors) {
  TempFolder folder;
  EXPECT_FALSE(read_std(folder.file("none")));
  const auto read = read_std(folder.path());
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("directory"), std::string::npos) << read.error().message;
}

TEST(StdText, AnEmptyFileHasNoEvents) {
  const Trace trace = parsed("");
  EXPECT_EQ(trace.events().size(), 0u);
  EXPECT_FALSE(validate(trace));
}

TEST(StdText, TheContentSaysWhichFormatItIs) {
  TempFolder folder;
  TraceBuilder b;
  b.main_thread().write(b.global());
  ASSERT_TRUE(write_trace(folder.file("a"), b.build()));
  ASSERT_TRUE(write_trace(folder.file("b.zst"), b.build()));
  ASSERT_TRUE(write_std(b.build(), folder.file("c")));
  std::ofstream(folder.file("d")) << "";
  EXPECT_EQ(format_of(folder.file("a")), EventFormat::kTrace);
  EXPECT_EQ(format_of(folder.file("b.zst")), EventFormat::kTrace);
  EXPECT_EQ(format_of(folder.file("c")), EventFormat::kText);
  EXPECT_EQ(format_of(folder.file("d")), EventFormat::kText);
  for (const char* name : {"a", "b.zst", "c"}) {
    auto stream = open_events(folder.file(name));
    ASSERT_TRUE(stream) << stream.error().message;
    EXPECT_EQ((*stream)->next()->size(), 1u);
    EXPECT_TRUE((*stream)->next()->empty());
  }
}

TEST(StdText, WhatCameBeforeAnErrorIsStillGiven) {
  const auto reader = StdReader::over("T0|w(x)|1\nT0|w(x)|2\nnonsense\n", "t.std");
  EXPECT_EQ(reader->next()->size(), 2u);
  EXPECT_FALSE(reader->next());
  EXPECT_FALSE(reader->next());
}

// Export.

TEST(StdExport, PlainEventsAreTheirOwn) {
  TraceBuilder b;
  const auto x = b.global(), m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.at(1);
  child.lock(m).at(2).write(x).at(3).unlock(m).at(4);
  main.join(child).at(5);
  const Trace trace = b.build();
  const auto site = [&](uint64_t number) { return b.site(number); };
  EXPECT_EQ(to_std_text(trace),
            fmt::format("T0|fork(T1)|{}\nT1|acq(L0)|{}\nT1|w(V0)|{}\nT1|rel(L0)|{}\nT0|join(T1)|{}\n",
                        site(1), site(2), site(3), site(4), site(5)));
}

std::string operations(const Trace& trace) {
  std::string text;
  std::string line;
  for (const char c : to_std_text(trace)) {
    line += c;
    if (c != '\n') continue;
    text += line.substr(0, line.rfind('|')) + " ";
    line.clear();
  }
  return text;
}

TEST(StdExport, OverlappingAccessesShareVariables) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  main.write(x).read(x.part(0, 4)).read(x.part(4, 4));
  EXPECT_EQ(operations(b.build()), "T0|w(V0) T0|w(V1) T0|r(V0) T0|r(V1) ");
}

TEST(StdExport, AReaderTakesALockOfItsOwnAndAWriterAll) {
  TraceBuilder b;
  const auto m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.read_lock(m);
  child.read_lock(m).read_unlock(m);
  main.read_unlock(m).lock(m).unlock(m);
  EXPECT_EQ(operations(b.build()),
            "T0|fork(T1) T0|acq(L0) T1|acq(L1) T1|rel(L1) T0|rel(L0) "
            "T0|acq(L2) T0|acq(L0) T0|acq(L1) T0|rel(L2) T0|rel(L0) T0|rel(L1) ");
}

TEST(StdExport, AtomicsAreCriticalSectionsOfTheirOwn) {
  TraceBuilder b;
  const auto a = b.global();
  b.main_thread().atomic_update(a).atomic_update(a).failed().atomic_read(a);
  EXPECT_EQ(operations(b.build()),
            "T0|acq(L0) T0|r(V0) T0|w(V0) T0|rel(L0) T0|acq(L0) T0|r(V0) T0|rel(L0) "
            "T0|acq(L0) T0|r(V0) T0|rel(L0) ");
}

// What waits reads what all who passed something on have written, so that no reordering leaves one out.
TEST(StdExport, WaitingNeedsAllThatWasPassedOnBefore) {
  TraceBuilder b;
  const auto semaphore = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.sem_post(semaphore);
  child.sem_wait(semaphore);
  EXPECT_EQ(operations(b.build()),
            "T0|fork(T1) T0|acq(L0) T0|r(M0) T0|w(M0) T0|rel(L0) T1|acq(L0) T1|r(M0) T1|rel(L0) ");
}

// Whatever a program does, also wrongly: the text can be read.
TEST(StdExport, EveryTraceGivesAValidText) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Trace trace = random_trace(seed);
    const auto again = read_std_text(to_std_text(trace), "t.std");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_FALSE(validate(*again));
  }
}

// Mutations of valid text: parsed, or refused with a position; never anything else.
TEST(StdFuzz, MutatedTextIsReadOrRefused) {
  std::mt19937_64 random(3);
  const std::string valid =
      "T0|fork(T1)|1\nT0|acq(L1[3])|2\nT0|w(V1)|3\nT0|rel(L1[3])|4\nT1|acq(L1[3])|a.cpp:5\nT1|r(V1)|6\n"
      "T1|rel(L1[3])|7\nT1|fork(T2)|8\nT2|w(V12)|9\nT1|join(T2)|10\nT0|join(T1)|11\n";
  const std::string alphabet("T0|w()acqrelfork\n\r\0[]#9", 23);
  uint64_t accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = valid;
    for (uint64_t mutations = 1 + random() % 4; mutations > 0; --mutations) {
      const size_t at = random() % text.size();
      switch (random() % 5) {
        case 0:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 8);
          break;
        case 2:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
          break;
        case 3:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
          break;
        default:
          text.resize(at + 1);
          break;
      }
      if (text.empty()) text = "T";
    }
    const auto trace = read_std_text(text, "t.std");
    if (!trace) {
      EXPECT_TRUE(trace.error().message.starts_with("t.std:")) << trace.error().message;
      continue;
    }
    accepted++;
    ASSERT_FALSE(validate(*trace));
    // What was accepted can be written, and says the same again.
    const std::string written = to_std_text(*trace);
    const auto again = read_std_text(written, "again");
    ASSERT_TRUE(again) << again.error().message << "\n" << written;
    EXPECT_EQ(to_std_text(*again), written);
  }
  EXPECT_GT(accepted, 500u);
}

TEST(StdText, RefusesAThreadThatHoldsTooManyLocks) {
  std::string text;
  for (uint32_t i = 0; i <= EventRules::kMostLocksHeld; ++i) text += fmt::format("T1|acq(L{})|1\n", i);
  EXPECT_NE(reading_error(text).find("t.std:2049"), std::string::npos) << reading_error(text);
  EXPECT_NE(reading_error(text).find("T1 holds more than 2048 locks"), std::string::npos);
}

}  // namespace
}  // namespace heddle::trace
