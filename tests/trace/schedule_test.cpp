#include "trace/schedule.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "random_trace.h"
#include "temp_folder.h"
#include "trace/hash.h"
#include "trace/schedule_words.h"
#include "trace/trace_builder.h"

namespace heddle::trace {
namespace {

constexpr char kExample[] = R"(heddle-schedule 1
build-id 3f2a99
command ./prog
argument --x
argument "two words"
directory ../build
policy random seed 7
then pct:3 seed 9
failure deadlock
message "main waits for main/1\n"
max-steps 1000
spin-parking off
points 5
  global prog +0x4010 8
  global 00112233445566aa +0x10 4
  heap 1a2b3c4d5e6f7788 +16 whole
  stack main/1 +288 8
  unknown +0x7ffff7e01234 1
choices 20
  main 12
  main/1 3
  timeout main/2
  wake main/1/1
  spurious main/2
  fail-allocation main/1 4
  main 1
end
)";

std::string error_of(const std::string& text) {
  const auto schedule = parse_schedule(text, "s.schedule");
  EXPECT_FALSE(schedule) << text;
  return schedule ? "" : schedule.error().message;
}

// The example with one line replaced (or removed, or several put in its place).
std::string with_line(const std::string& line, const std::string& replacement) {
  std::string text = kExample;
  const size_t at = text.find(line + '\n');
  EXPECT_NE(at, std::string::npos) << line;
  return text.replace(at, line.size() + (replacement.empty() ? 1 : 0), replacement);
}

TEST(Schedule, IsReadAsWritten) {
  const auto parsed = parse_schedule(kExample, "s");
  ASSERT_TRUE(parsed) << parsed.error().message;
  const Schedule& s = *parsed;
  EXPECT_EQ(s.build_id, "3f2a99");
  EXPECT_EQ(s.command, (std::vector<std::string>{"./prog", "--x", "two words"}));
  EXPECT_EQ(s.directory, "../build");
  EXPECT_EQ(s.policy, "random seed 7");
  EXPECT_EQ(s.then, (PolicySpec{PolicyKind::kPct, 3, 9}));
  EXPECT_EQ(s.failure, OutcomeKind::kDeadlock);
  EXPECT_EQ(s.message, "main waits for main/1\n");
  EXPECT_EQ(s.max_steps, 1000u);
  EXPECT_FALSE(s.spin_parking);

  ASSERT_EQ(s.points.size(), 5u);
  EXPECT_EQ(s.points[0].key, fnv1a("prog"));
  EXPECT_EQ(s.points[0].offset, 0x4010u);
  EXPECT_EQ(s.points[0].length, 8u);
  EXPECT_EQ(s.points[1].key, 0x00112233445566aau);
  EXPECT_EQ(s.points[2].kind, PointKind::kHeap);
  EXPECT_EQ(s.points[2].length, 0u);
  EXPECT_EQ(s.points[3].key, fnv1a("main/1"));
  EXPECT_EQ(s.points[3].offset, 288u);
  EXPECT_EQ(s.points[4].key, 0u);

  ASSERT_EQ(s.steps.size(), 7u);
  EXPECT_EQ(s.threads.name(s.steps[1].thread), "main/1");
  EXPECT_EQ(s.steps[1].count, 3u);
  EXPECT_EQ(s.steps[2].kind, StepKind::kTimeout);
  EXPECT_EQ(s.threads.name(s.steps[2].thread), "main/2");
  EXPECT_EQ(s.steps[3].kind, StepKind::kWake);
  EXPECT_EQ(s.threads.name(s.steps[3].thread), "main/1/1");
  EXPECT_EQ(s.steps[4].kind, StepKind::kSpurious);
  EXPECT_EQ(s.threads.name(s.steps[4].thread), "main/2");
  EXPECT_EQ(s.steps[5].kind, StepKind::kFail);
  EXPECT_EQ(s.threads.name(s.steps[5].thread), "main/1");
  EXPECT_EQ(s.steps[5].count, 4u);
  EXPECT_EQ(s.choices(), 20u);
  EXPECT_EQ(print_schedule(s), kExample);
}

TEST(Schedule, MayBeThatOfAnExploration) {
  const auto whole = parse_schedule(kExample, "s");
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->exploration, 0u);
  for (const bool first : {false, true}) {
    const std::string line = std::string("exploration 3 \"deposits add up\"") + (first ? " first" : "");
    const std::string text = with_line("directory ../build", "directory ../build\n" + line);
    const auto parsed = parse_schedule(text, "s");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->exploration, 3u);
    EXPECT_EQ(parsed->exploration_name, "deposits add up");
    EXPECT_EQ(parsed->exploration_first, first);
    EXPECT_EQ(print_schedule(*parsed), text);
  }
}

TEST(Schedule, ExplorationHasANumberAndAName) {
  const auto error_with = [](const std::string& line) {
    return error_of(with_line("directory ../build", line));
  };
  EXPECT_NE(error_with("exploration zero name").find("'zero' is not the number of an exploration"),
            std::string::npos);
  EXPECT_NE(error_with("exploration 0 name").find("'0' is not the number"), std::string::npos);
  EXPECT_NE(error_with("exploration 1 name last").find("expected 'first' or nothing"), std::string::npos);
  EXPECT_NE(error_with("exploration 1").find("exploration NUMBER NAME [first]"), std::string::npos)
      << error_with("exploration 1");
}

TEST(Schedule, MayBeWrittenByHand) {
  const auto schedule = parse_schedule(
      "# a comment\n\n"
      "heddle-schedule 1\r\n"
      "command \"./prog#1\"#that is not a comment, this is\n"
      "\tchoices\n"
      "main 2 # two\n"
      "main 3\n"
      "end\n"
      "  # the end",
      "s");
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->command[0], "./prog#1");
  ASSERT_EQ(schedule->steps.size(), 1u);
  EXPECT_EQ(schedule->steps[0].count, 5u);
  EXPECT_EQ(schedule->then, PolicySpec{});
  EXPECT_EQ(schedule->max_steps, kDefaultMaxSteps);
  EXPECT_TRUE(schedule->spin_parking);
}

TEST(Schedule, AnyScheduleSurvivesPrintingAndReading) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const Schedule original = random_schedule(seed);
    const std::string text = print_schedule(original);
    const auto read = parse_schedule(text, "s");
    ASSERT_TRUE(read) << read.error().message << '\n' << text;
    EXPECT_EQ(print_schedule(*read), text);
    EXPECT_EQ(read->command, original.command);
    EXPECT_EQ(read->policy, original.policy);
    EXPECT_EQ(read->message, original.message);
    EXPECT_EQ(read->directory, original.directory);
    EXPECT_EQ(read->then, original.then);
    ASSERT_EQ(read->points.size(), original.points.size());
    for (size_t i = 0; i < read->points.size(); ++i) {
      EXPECT_EQ(std::memcmp(&read->points[i], &original.points[i], sizeof(PointRecord)), 0) << text;
    }
    ASSERT_EQ(read->steps.size(), original.steps.size());
    for (size_t i = 0; i < read->steps.size(); ++i) {
      EXPECT_EQ(read->threads.name(read->steps[i].thread), original.threads.name(original.steps[i].thread));
      EXPECT_EQ(read->steps[i].count, original.steps[i].count);
    }
  }
}

TEST(Schedule, AnyDamageIsRefusedOrHarmless) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text = kExample;
    for (uint64_t flips = 1 + random() % 4; flips > 0; --flips) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    const auto schedule = parse_schedule(text, "s.schedule");
    if (!schedule) {
      EXPECT_EQ(schedule.error().message.find("s.schedule"), 0u);
    } else {
      const auto again = parse_schedule(print_schedule(*schedule), "again");
      EXPECT_TRUE(again) << again.error().message << '\n' << text;
    }
  }
}

TEST(Schedule, CutOffAnywhereIsRefused) {
  const std::string text = kExample;
  for (size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_NE(error_of(text.substr(0, size)), "");
  }
  EXPECT_EQ(error_of(text.substr(0, text.find("  main 1\nend"))),
            "s.schedule is truncated: there is no 'end' after line 25");
}

TEST(Schedule, ErrorsNameTheLineAndWhatWasExpected) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "s.schedule is empty, not a heddle schedule"},
      {"# only\n", "s.schedule is empty, not a heddle schedule"},
      {"hello\n", "s.schedule is not a heddle schedule: line 1 should be 'heddle-schedule 1'"},
      {"heddle-schedule\n", "s.schedule is not a heddle schedule: line 1 should be 'heddle-schedule 1'"},
      {"heddle-schedule 2\nwhatever \\ is here",
       "s.schedule was made by a newer heddle: it has schedule format 2, and this one reads formats up to 1"},
      {"heddle-schedule 1\nchoices\nend\n", "s.schedule is not complete: there is no 'command' line"},
      {"heddle-schedule 1\ncommand x\nend\n", "s.schedule is not complete: there is no 'choices' line"},
      {with_line("command ./prog", ""), "s.schedule:3: 'argument' before 'command'"},
      {with_line("command ./prog", "command a b"), "s.schedule:3: expected 'command PROGRAM'"},
      {with_line("build-id 3f2a99", "build_id 3f2a99"),
       "s.schedule:2: unknown word 'build_id': expected a field such as 'command' or 'points'"},
      {with_line("build-id 3f2a99", "command x"), "s.schedule:3: a second 'command'"},
      {with_line("argument \"two words\"", "argument \"two words"), "s.schedule:5: a quote is not closed"},
      {with_line("argument \"two words\"", "argument \"\\q\""),
       "s.schedule:5: unknown escape: expected \\\\, \\\", \\n, \\t or \\xNN"},
      {with_line("argument \"two words\"", "argument \"\\x4\""),
       "s.schedule:5: \\x needs two hexadecimal digits"},
      {with_line("argument \"two words\"", "argument \"\\x00\""),
       "s.schedule:5: \\x00 cannot be part of a word"},
      {with_line("argument \"two words\"", "argument a\"b\""),
       "s.schedule:5: unexpected byte 0x22 outside quotes"},
      {with_line("then pct:3 seed 9", "then fair"),
       "s.schedule:8: unknown policy 'fair': expected one of nonpreemptive, round-robin, random, pct:D (D at "
       "least 1), pos, serial"},
      {with_line("failure deadlock", "failure flood"), "s.schedule:9: unknown kind of failure 'flood'"},
      {with_line("max-steps 1000", "max-steps many"), "s.schedule:11: 'many' is not a number of steps"},
      {with_line("spin-parking off", "spin-parking no"), "s.schedule:12: 'no' is neither 'on' nor 'off'"},
      {with_line("points 5", "points x"), "s.schedule:13: 'x' is not a number of points"},
      {with_line("points 5", "points 6"), "s.schedule is damaged: it announces 6 points but has 5"},
      {with_line("points 5", ""),
       "s.schedule:13: unknown word 'global': expected a field such as 'command' or 'points'"},
      {with_line("  global prog +0x4010 8", "  global prog +0x4010"),
       "s.schedule:14: expected 'global OWNER +OFFSET LENGTH'"},
      {with_line("  global prog +0x4010 8", "  global prog 16 8"),
       "s.schedule:14: '16' is not an offset such as +16 or +0x40"},
      {with_line("  global prog +0x4010 8", "  global prog +16 0"),
       "s.schedule:14: '0' is not a length: expected a number of bytes or 'whole'"},
      {with_line("  global prog +0x4010 8", "  register prog +16 1"),
       "s.schedule:14: unknown word 'register': expected a point or a field"},
      {with_line("  heap 1a2b3c4d5e6f7788 +16 whole", "  heap prog +16 1"),
       "s.schedule:16: 'prog' is not an allocation: expected 16 hexadecimal digits"},
      {with_line("  stack main/1 +288 8", "  stack main/0 +288 8"),
       "s.schedule:17: 'main/0' is not a thread: expected a name such as main/1"},
      {with_line("  fail-allocation main/1 4", "  fail-allocation main/1"),
       "s.schedule:25: expected 'fail-allocation THREAD COUNT'"},
      {with_line("  fail-allocation main/1 4", "  fail-allocation main/1 0"),
       "s.schedule:25: '0' is not a number of allocations"},
      {with_line("choices 20", "choices 19"), "s.schedule is damaged: it announces 19 choices but has 20"},
      {with_line("  main 12", "  main"), "s.schedule:20: expected 'main COUNT'"},
      {with_line("  main 12", "  main 0"), "s.schedule:20: '0' is not a number of operations"},
      {with_line("  main 12", "  main 4294967296"),
       "s.schedule:20: '4294967296' is not a number of operations"},
      {with_line("  main 12", "  mainly 12"),
       "s.schedule:20: 'mainly' is not a thread: expected a name such as main/1"},
      {with_line("  main 12", "  worker 12"),
       "s.schedule:20: unknown word 'worker': expected a choice or 'end'"},
      {with_line("  timeout main/2", "  timeout"), "s.schedule:22: expected 'timeout THREAD'"},
      {std::string(kExample) + "main 1\n", "s.schedule:28: 'main' after the end of the schedule"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(error_of(text), message);
  }
}

TEST(Schedule, RefusesMoreThreadsThanThereCanBe) {
  std::string text = "heddle-schedule 1\ncommand x\nchoices\n";
  for (size_t i = 1; i <= kMaxScheduleThreads; ++i) {
    text += "main/" + std::to_string(i) + " 1\n";
  }
  EXPECT_EQ(error_of(text + "end\n"),
            "s.schedule:" + std::to_string(3 + kMaxScheduleThreads) + ": more than 65536 threads");
}

TEST(Schedule, RunsGrowUntilTheirCountIsFull) {
  Schedule schedule;
  schedule.add(StepKind::kRun, 0, 5);
  schedule.add(StepKind::kRun, 0, 0);
  schedule.add(StepKind::kRun, 0, 6);
  ASSERT_EQ(schedule.steps.size(), 1u);
  EXPECT_EQ(schedule.steps[0].count, 11u);
  schedule.add(StepKind::kRun, 0, UINT32_MAX);
  EXPECT_EQ(schedule.steps.size(), 2u);
  schedule.add(StepKind::kTimeout, 0);
  schedule.add(StepKind::kTimeout, 0);
  EXPECT_EQ(schedule.steps.size(), 4u);
  EXPECT_EQ(schedule.choices(), uint64_t{11} + UINT32_MAX + 2);
}

TEST(Schedule, ANameThatLooksLikeAKeyIsQuoted) {
  Schedule schedule;
  schedule.command = {"x"};
  const std::string name = "0123456789abcdef";
  schedule.points.push_back({fnv1a(name), 0, 1, PointKind::kGlobal, PointGrade::kPoint});
  schedule.key_names[fnv1a(name)] = name;
  const std::string text = print_schedule(schedule);
  EXPECT_NE(text.find("global \"0123456789abcdef\" +0x0 1"), std::string::npos);
  EXPECT_EQ(parse_schedule(text, "s")->points[0].key, fnv1a(name));
}

Trace deadlocked_trace() {
  TraceBuilder b("/build/prog", "3f2a");
  auto m = b.global();
  auto main = b.main_thread();
  auto first = main.fork();
  auto second = first.fork();
  second.lock(m);
  main.lock(m);
  b.describe({"./prog", "-v"}, "random seed 7");
  b.outcome(OutcomeKind::kDeadlock, main, "nobody can run");
  b.tables().points = {{fnv1a("main/1"), 16, 8, PointKind::kStack, PointGrade::kPoint},
                       {7, 0, 0, PointKind::kHeap, PointGrade::kPoint},
                       {module_key("/build/prog"), 0x10, 8, PointKind::kGlobal, PointGrade::kPoint},
                       {7, 0, 0, PointKind::kHeap, PointGrade::kPoint}};
  return b.build();
}

TEST(Schedule, IsTakenFromATrace) {
  EXPECT_EQ(print_schedule(schedule_of(deadlocked_trace())), R"(heddle-schedule 1
build-id 3f2a
command ./prog
argument -v
policy random seed 7
then nonpreemptive
failure deadlock
message "nobody can run"
max-steps 1000000
points 3
  global prog +0x10 8
  heap 0000000000000007 +0 whole
  stack main/1 +16 8
choices 6
  main 1
  main/1 2
  main/1/1 2
  main 1
end
)");
}

TEST(Schedule, GoesIntoTheArena) {
  std::vector<uint64_t> memory(1 << 13);
  auto* arena = reinterpret_cast<ArenaHeader*>(memory.data());
  for (size_t i = 0; i < kArenaTableCount; ++i) {
    arena->arena_tables[i] = {kArenaHeaderRoom + i * 1024, 8, 99};
  }
  const Schedule schedule = schedule_of(deadlocked_trace());
  ASSERT_TRUE(put_into_arena(schedule, arena));
  const auto records = [&]<typename Record>(ArenaTableId id, Record*) {
    const TableRecord& table = arena->arena_tables[static_cast<size_t>(id)];
    return std::span(reinterpret_cast<const Record*>(reinterpret_cast<char*>(arena) + table.offset),
                     table.count);
  };
  const auto threads = records(ArenaTableId::kInputThreads, static_cast<ScheduleThreadRecord*>(nullptr));
  ASSERT_EQ(threads.size(), 3u);
  EXPECT_EQ(threads[2].parent, 1u);
  EXPECT_EQ(threads[2].ordinal, 1u);
  const auto steps = records(ArenaTableId::kInputSteps, static_cast<StepRecord*>(nullptr));
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[2].thread, 2u);
  const auto points = records(ArenaTableId::kInputPoints, static_cast<PointRecord*>(nullptr));
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].key, 7u);

  arena->arena_tables[static_cast<size_t>(ArenaTableId::kInputSteps)].capacity = 3;
  EXPECT_EQ(put_into_arena(schedule, arena).error().message,
            "the schedule has 4 switches, more than the 3 that an execution has room for");
}

TEST(ScheduleFile, SurvivesWritingAndReading) {
  const TempFolder folder;
  const std::string path = folder.file("s.schedule");
  const Schedule schedule = schedule_of(deadlocked_trace());
  ASSERT_TRUE(write_schedule_file(path, schedule));
  const auto read = read_schedule_file(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(print_schedule(*read), print_schedule(schedule));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"s.schedule"});
}

std::string directory_line(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("directory ")) {
      return line.substr(std::strlen("directory "));
    }
  }
  return "";
}

TEST(ScheduleFile, MovesWithItsProject) {
  const TempFolder folder;
  std::filesystem::create_directories(folder.file("project/findings"));
  Schedule schedule;
  schedule.command = {"./prog"};
  schedule.directory = folder.file("project/build");
  const std::string path = folder.file("project/findings/s");
  ASSERT_TRUE(write_schedule_file(path, schedule));
  EXPECT_EQ(directory_line(path), "../build");
  std::filesystem::rename(folder.file("project"), folder.file("moved"));
  EXPECT_EQ(read_schedule_file(folder.file("moved/findings/s"))->directory, folder.file("moved/build"));
}

TEST(ScheduleFile, KeepsADirectoryElsewhereAbsolute) {
  const TempFolder folder;
  Schedule schedule;
  schedule.command = {"./prog"};
  for (const std::string directory : {"/", "/opt-of-nobody/project"}) {
    schedule.directory = directory;
    ASSERT_TRUE(write_schedule_file(folder.file("s"), schedule));
    EXPECT_EQ(directory_line(folder.file("s")), directory);
    EXPECT_EQ(read_schedule_file(folder.file("s"))->directory, directory);
  }
}

TEST(ScheduleFile, ThatCannotBeReadIsNamed) {
  const TempFolder folder;
  EXPECT_EQ(read_schedule_file(folder.file("s")).error().message,
            "cannot read " + folder.file("s") + ": No such file or directory");
  EXPECT_EQ(read_schedule_file(folder.path().string()).error().message,
            "cannot read " + folder.path().string() + ": Is a directory");
  EXPECT_EQ(write_schedule_file("/dev/full", schedule_of(deadlocked_trace())).error().message,
            "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace heddle::trace
