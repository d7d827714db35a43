// The process that versions live in, and what happens when it is lost.
#include <csignal>
#include <thread>

#include <gtest/gtest.h>

#include "fast_programs.h"
#include "interact/fast/host/fast_host.h"

namespace heddle::fast {
namespace {

using concolic::ProgramInput;
using interact::Behaviour;

class Host : public testing::Test {
 protected:
  static FastHost start(std::chrono::milliseconds timeout = std::chrono::milliseconds(100)) {
    static const CompiledProgram program = compile_text("greeting", R"(
      #include <stdio.h>
      #include <string.h>
      #include <unistd.h>
      int main(int count, char** arguments) {
        char line[100] = "nothing\n";
        if (count > 1 && strcmp(arguments[1], "-w") == 0) fclose(fopen("made", "w"));
        if (count > 1 && strcmp(arguments[1], "-l") == 0) for (;;) ;
        fgets(line, sizeof line, stdin);
        printf("%d %s", count, line);
        fputs("done\n", stderr);
        return count;
      })");
    FastOptions options;
    options.versions = {{program.fast, "", program.plain}, {program.fast, "", program.plain}};
    options.folder = fast_folder() / "hosted";
    options.limits = test_limits();
    options.timeout = timeout;
    Expected<FastHost> host = FastHost::start(std::move(options));
    if (!host) {
      ADD_FAILURE() << host.error().message;
      std::abort();
    }
    return std::move(*host);
  }

  static ProgramInput input(std::vector<std::string> arguments) {
    ProgramInput result;
    result.arguments = std::move(arguments);
    result.standard_input = "hello\n";
    return result;
  }
};

TEST_F(Host, RunsInputsInAllVersions) {
  FastHost host = start();
  EXPECT_EQ(host.needs_processes(), "");
  for (int i = 0; i < 20; ++i) {
    const Expected<std::vector<Behaviour>> behaviours = host.run(input({"a", "b"}));
    ASSERT_TRUE(behaviours);
    ASSERT_EQ(behaviours->size(), 2U);
    for (const Behaviour& behaviour : *behaviours) {
      EXPECT_EQ(behaviour.out, "3 hello\n");
      EXPECT_EQ(behaviour.err, "done\n");
      EXPECT_EQ(behaviour.exit_code, 3);
    }
  }
}

TEST_F(Host, RunsProcessesAlthoughItIsConfined) {
  FastHost host = start();
  const Expected<std::vector<Behaviour>> behaviours = host.run(input({"-w"}));
  ASSERT_TRUE(behaviours);
  ASSERT_EQ(behaviours->size(), 2U);
  EXPECT_EQ(behaviours->front().files.count("made"), 1U);
}

TEST_F(Host, IsReplacedWhenItIsLost) {
  FastHost host = start();
  ASSERT_TRUE(host.run(input({})));
  ASSERT_EQ(::kill(host.process(), SIGKILL), 0);
  const Expected<std::vector<Behaviour>> lost = host.run(input({"first"}));
  ASSERT_TRUE(lost);
  EXPECT_TRUE(lost->empty());
  EXPECT_TRUE(host.lost().empty());  // it was executing nothing
  const Expected<std::vector<Behaviour>> again = host.run(input({"first"}));
  ASSERT_TRUE(again);
  ASSERT_EQ(again->size(), 2U);
  EXPECT_EQ(again->front().exit_code, 2);
}

TEST_F(Host, KnowsWhatALostHostWasExecuting) {
  FastHost host = start(std::chrono::minutes(2));
  FrameWriter writer;
  writer.input(input({"-l", "x"}));
  ASSERT_TRUE(host.send(FrameKind::kRun, writer.written()));
  while (!host.executing()) std::this_thread::yield();
  ASSERT_EQ(::kill(host.process(), SIGKILL), 0);
  Frame frame;
  ASSERT_EQ(host.receive(&frame, std::chrono::minutes(2)), HostLink::Arrival::kLost);
  ASSERT_TRUE(host.replace());
  ASSERT_EQ(host.lost().size(), 1U);
  EXPECT_EQ(host.lost().front(), input({"-l", "x"}));
  const Expected<std::vector<Behaviour>> again = host.run(input({}));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->size(), 2U);
}

TEST_F(Host, AnErrorOfConfigurationIsSaid) {
  const Expected<FastHost> host = FastHost::start({});
  ASSERT_FALSE(host);
  EXPECT_EQ(host.error().message, "there is no version of a program to run");
}

}  // namespace
}  // namespace heddle::fast
