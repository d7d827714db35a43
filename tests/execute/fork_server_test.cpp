#include "execute/fork_server.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "fake_server.h"
#include "trace/validate.h"

namespace heddle {
namespace {

using trace::OutcomeKind;

// A process that is waited for outside our control: gone, or a zombie that its parent has yet to notice.
bool is_running(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string text((std::istreambuf_iterator<char>(status)), {});
  const size_t end_of_name = text.rfind(')');
  return end_of_name != std::string::npos && text[end_of_name + 2] != 'Z' && text[end_of_name + 2] != 'X';
}

// SIGKILL has been sent; the kernel delivers it when it gets to it.
void wait_until_gone(pid_t pid) {
  while (is_running(pid)) std::this_thread::yield();
}

ExecutionRequest short_timeout() {
  return {.timeout = std::chrono::milliseconds(50)};
}

TEST(ForkServer, ServesManyExecutionsAndKeepsOutputApart) {
  ForkServer server = start_fake({"print"});
  for (int i = 0; i < 50; ++i) {
    const Execution execution = run_fake(server);
    EXPECT_EQ(execution.outcome.kind, OutcomeKind::kOk);
    EXPECT_EQ(execution.out, "hello\n");
    EXPECT_EQ(execution.err, "oops\n");
    EXPECT_FALSE(execution.output_truncated);
    EXPECT_EQ(execution.steps(), 1u);
    EXPECT_TRUE(execution.instrumented);
    EXPECT_EQ(execution.trace.steps().size(), 1u);
  }
}

TEST(ForkServer, TellsExitCodes) {
  ForkServer server = start_fake({"exit", "3"});
  const Execution execution = run_fake(server);
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kExitCode);
  EXPECT_EQ(execution.outcome.exit_code, 3);
}

TEST(ForkServer, SurvivesCrashes) {
  ForkServer server = start_fake({"crash"});
  for (int i = 0; i < 5; ++i) {
    const Execution execution = run_fake(server);
    EXPECT_EQ(execution.outcome.kind, OutcomeKind::kCrash);
    EXPECT_EQ(execution.outcome.signal, SIGSEGV);
    EXPECT_EQ(execution.trace.outcome().kind, OutcomeKind::kCrash);
    EXPECT_FALSE(execution.server_restarted);
  }
}

TEST(ForkServer, TellsKillsFromOutsideFromCrashes) {
  ForkServer server = start_fake({"killed"});
  const Execution execution = run_fake(server);
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kKilled);
  EXPECT_EQ(execution.outcome.signal, SIGKILL);
}

TEST(ForkServer, EndsHangsAtTheTimeoutAndGoesOn) {
  for (const char* how : {"hang", "hang-deaf"}) {
    ForkServer server = start_fake({how});
    for (int i = 0; i < 2; ++i) {
      const Execution execution = run_fake(server, short_timeout());
      EXPECT_EQ(execution.outcome.kind, OutcomeKind::kHang) << how;
      EXPECT_FALSE(execution.server_restarted);
    }
  }
}

TEST(ForkServer, AnnouncedFailureStandsOverTheWayTheProcessEnds) {
  ForkServer server = start_fake({"announce", std::to_string(static_cast<int>(OutcomeKind::kDeadlock))});
  EXPECT_EQ(run_fake(server).outcome.kind, OutcomeKind::kDeadlock);
}

TEST(ForkServer, FloodOfOutputIsCutAndDoesNotBlock) {
  ForkServer server = start_fake({"flood"}, {.output_limit = 1000});
  const Execution execution = run_fake(server);
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kOk);
  EXPECT_EQ(execution.out, std::string(1000, 'x'));
  EXPECT_EQ(execution.err, std::string(1000, 'x'));
  EXPECT_TRUE(execution.output_truncated);
}

TEST(ForkServer, DeadServerIsStartedAgainOnceAndThenAnError) {
  // It dies in every execution, so the second start does not help.
  for (const char* how : {"kill-server"}) {
    ForkServer server = start_fake({how});
    const Expected<Execution> execution = server.run({});
    ASSERT_FALSE(execution);
    EXPECT_EQ(execution.error().kind, Error::Kind::kInternal);
    EXPECT_NE(execution.error().message.find("again"), std::string::npos);
  }
}

TEST(ForkServer, KillOfItsOwnGroupEndsOnlyTheProgram) {
  ForkServer server = start_fake({"kill-group"});
  const Execution execution = run_fake(server);
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kKilled);
  EXPECT_FALSE(execution.server_restarted);
}

TEST(ForkServer, ProcessesLeftBehindAreKilled) {
  ForkServer server = start_fake({"daemon"});
  const Execution execution = run_fake(server);
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kOk);
  wait_until_gone(std::stoi(execution.out));
}

TEST(ForkServer, ProcessesOfAHangingProgramAreKilled) {
  ForkServer server = start_fake({"daemon-hang"});
  // Long enough to have printed; if it was not, there is no process either.
  ExecutionRequest request;
  request.timeout = std::chrono::milliseconds(1000);
  const Execution execution = run_fake(server, request);
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kHang);
  if (!execution.out.empty()) wait_until_gone(std::stoi(execution.out));
}

TEST(ForkServer, ProgramThatOverwritesTheSharedMemoryOnlyLosesItsTrace) {
  ForkServer server = start_fake({"scribble"});
  for (int i = 0; i < 2; ++i) {
    const Execution execution = run_fake(server);
    EXPECT_EQ(execution.outcome.kind, OutcomeKind::kInternal);
    EXPECT_TRUE(execution.trace.events().empty());
  }
}

TEST(ForkServer, DamagedRecordKeepsTheFailureAndItsScheduleButNothingThatLeadsAstray) {
  ForkServer server = start_fake({"tear", std::to_string(static_cast<int>(OutcomeKind::kDeadlock))});
  for (int i = 0; i < 2; ++i) {
    const Execution execution = run_fake(server, {.flags = trace::request_flag::kLearn});
    EXPECT_EQ(execution.outcome.kind, OutcomeKind::kDeadlock);
    EXPECT_EQ(execution.outcome.thread, 0u);
    EXPECT_NE(execution.damage.find("thread 1000 does not exist"), std::string::npos) << execution.damage;
    EXPECT_FALSE(trace::validate(execution.trace));
    EXPECT_TRUE(execution.trace.blocked().empty());
    EXPECT_EQ(execution.trace.steps().size(), 1u);
    for (const trace::PointRecord& point : execution.learned)
      EXPECT_EQ(point.kind, trace::PointKind::kGlobal);
    server.add_points(execution.learned);
  }
}

TEST(ForkServer, DamagedRecordOfACleanExitIsNotOk) {
  ForkServer server = start_fake({"tear", std::to_string(static_cast<int>(OutcomeKind::kOk))});
  EXPECT_EQ(run_fake(server).outcome.kind, OutcomeKind::kInternal);
}

TEST(ForkServer, ExitThatWasNotRecordedCountsByItsStatusAndIsTold) {
  using trace::EventKind;
  ForkServer unseen = start_fake({"record", std::to_string(static_cast<int>(EventKind::kYield))});
  const Execution execution = run_fake(unseen);
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kOk);
  EXPECT_TRUE(execution.left_control);
  ForkServer failed = start_fake({"record", std::to_string(static_cast<int>(EventKind::kYield)), "4"});
  EXPECT_EQ(run_fake(failed).outcome.kind, OutcomeKind::kExitCode);
  for (const EventKind last : {EventKind::kExit, EventKind::kThreadEnd}) {
    ForkServer seen = start_fake({"record", std::to_string(static_cast<int>(last))});
    EXPECT_FALSE(run_fake(seen).left_control);
  }
}

TEST(ForkServer, DaemonsAreKilled) {
  ForkServer server = start_fake({"daemon-session"});
  const Execution execution = run_fake(server);
  EXPECT_EQ(execution.outcome.kind, OutcomeKind::kOk);
  wait_until_gone(std::stoi(execution.out));
}

TEST(ForkServer, HangAfterOverwritingTheSharedMemoryIsStillEnded) {
  ForkServer server = start_fake({"scribble-hang"});
  ASSERT_TRUE(server.run(short_timeout()));
  ASSERT_TRUE(server.run(short_timeout()));
}

TEST(ForkServer, InputIsReadAgainInEveryExecution) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "some input", 10), 10);
  ::close(ends[1]);
  Expected<Input> input = Input::spool(ends[0]);
  ::close(ends[0]);
  ASSERT_TRUE(input);
  ForkServer first = start_fake({"input"}, {.input = *input});
  ForkServer second = start_fake({"input"}, {.input = *input});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run_fake(first).out, "some input");
    EXPECT_EQ(run_fake(second).out, "some input");
  }
}

TEST(ForkServer, InputIsEmptyByDefault) {
  ForkServer server = start_fake({"input"});
  EXPECT_EQ(run_fake(server).out, "");
}

TEST(ForkServer, ProgramGetsItsEnvironmentAndDirectory) {
  TestCommand command = fake_command({"environment", "COLOUR"});
  command.environment = {{"COLOUR", "blue"}};
  Expected<ForkServer> server = ForkServer::start(command);
  ASSERT_TRUE(server);
  EXPECT_EQ(run_fake(*server).out, "blue\n");

  command = fake_command({"directory"});
  command.directory = "/proc";
  server = ForkServer::start(command);
  ASSERT_TRUE(server);
  EXPECT_EQ(run_fake(*server).out, "/proc\n");
}

TEST(ForkServer, RuntimeComesBeforeTheUsersLibraries) {
  TestCommand command = fake_command({"environment", "LD_LIBRARY_PATH"});
  command.environment = {{"LD_LIBRARY_PATH", "/nowhere"}};
  Expected<ForkServer> server = ForkServer::start(command);
  ASSERT_TRUE(server);
  EXPECT_EQ(run_fake(*server).out, HEDDLE_FAKE_RUNTIME ":/nowhere\n");
}

TEST(ForkServer, PointsOnlyGrowAndAreCountedOnce) {
  ForkServer server = start_fake({"ok"});
  const trace::PointRecord points[] = {{1, 0, 8, trace::PointKind::kGlobal, trace::PointGrade::kPoint},
                                       {2, 0, 8, trace::PointKind::kHeap, trace::PointGrade::kPoint}};
  EXPECT_EQ(server.add_points(points), 2u);
  EXPECT_EQ(server.add_points(points), 0u);
  const Execution execution = run_fake(server);
  EXPECT_EQ(execution.trace.points().size(), 2u);
}

TEST(ForkServer, ScheduleOfAnExecutionHasAllThatAReplayNeeds) {
  ForkServer server = start_fake({"exit", "3"});
  const trace::PointRecord point{1, 0, 8, trace::PointKind::kGlobal, trace::PointGrade::kPoint};
  server.add_points({&point, 1});
  ExecutionRequest request;
  request.policy = {.kind = trace::PolicyKind::kRandom, .seed = 7};
  request.flags = trace::request_flag::kNoSpinParking;
  request.max_steps = 99;
  const Execution execution = run_fake(server, request);
  const trace::Schedule schedule = server.schedule_of(request, execution);
  EXPECT_EQ(schedule.command, server.command().argv);
  EXPECT_EQ(schedule.build_id, server.binary().build_id);
  EXPECT_FALSE(schedule.build_id.empty());
  EXPECT_EQ(schedule.directory, std::filesystem::current_path().string() + "/");
  EXPECT_EQ(schedule.policy, "random seed 7");
  EXPECT_EQ(schedule.failure, OutcomeKind::kExitCode);
  EXPECT_EQ(schedule.points.size(), 1u);
  EXPECT_EQ(schedule.choices(), 1u);
  EXPECT_EQ(schedule.max_steps, 99u);
  EXPECT_FALSE(schedule.spin_parking);
}

TEST(ForkServer, StartFailsWithASentenceIfTheProgramEndsAtOnce) {
  TestCommand command = fake_command({"ok"});
  command.environment = {{"FAKE_DIES_AT_START", "1"}};
  const Expected<ForkServer> server = ForkServer::start(command);
  ASSERT_FALSE(server);
  EXPECT_NE(server.error().message.find("exit code 9"), std::string::npos) << server.error().message;
}

TEST(ForkServer, StartRefusesWhatIsNotInstrumented) {
  ::setenv("HEDDLE_RUNTIME_DIR", HEDDLE_FAKE_RUNTIME, 1);
  const Expected<ForkServer> server = ForkServer::start({.argv = {HEDDLE_PLAIN_PROGRAM}});
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().kind, Error::Kind::kUsage);
  EXPECT_NE(server.error().message.find("-fsanitize=thread"), std::string::npos);
}

TEST(ForkServer, NothingOutlivesAToolThatIsTerminated) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t tool = ::fork();
  if (tool == 0) {
    ForkServer server = start_fake({"daemon-hang"});
    server.pass_output_through(true);
    ::dup2(ends[1], STDOUT_FILENO);
    static_cast<void>(server.run({}));
    ::_exit(0);
  }
  ::close(ends[1]);
  char buffer[32] = {};
  ASSERT_GT(::read(ends[0], buffer, sizeof(buffer) - 1), 0);
  ::close(ends[0]);
  ::kill(tool, SIGTERM);
  int status = 0;
  ASSERT_EQ(::waitpid(tool, &status, 0), tool);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  wait_until_gone(std::atoi(buffer));
}

size_t open_descriptors() {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

TEST(ForkServer, LeavesNoDescriptorsOrChildrenBehind) {
  static_cast<void>(start_fake({"ok"}));
  const size_t before = open_descriptors();
  for (int i = 0; i < 3; ++i) {
    ForkServer server = start_fake({"crash"});
    run_fake(server);
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

int cores_of_this_thread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(::sched_getaffinity(0, sizeof(set), &set), 0);
  return CPU_COUNT(&set);
}

TEST(ForkServer, ThreadStaysOnTheCoreOfTheServerItRunsAndComesBack) {
  const int before = cores_of_this_thread();
  {
    ForkServer first = start_fake({"ok"});
    run_fake(first);
    EXPECT_EQ(cores_of_this_thread(), 1);
    {
      ForkServer second = start_fake({"ok"});
      run_fake(second);
      EXPECT_EQ(cores_of_this_thread(), 1);
    }
    run_fake(first);
    EXPECT_EQ(cores_of_this_thread(), 1);
  }
  EXPECT_EQ(cores_of_this_thread(), before);
}

}  // namespace
}  // namespace heddle
