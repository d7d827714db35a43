#include "interact/trial/behaviour.h"

#include <gtest/gtest.h>

namespace heddle::interact {
namespace {

Behaviour printing(std::string out) {
  Behaviour behaviour;
  behaviour.out = std::move(out);
  return behaviour;
}

TEST(Differing, NamesEachAspect) {
  Behaviour a, b;
  EXPECT_TRUE(differing(a, b, {}).empty());
  b.out = "x";
  b.err = "x";
  b.exit_code = 1;
  b.report = "SEGV";
  b.files["f"] = "";
  EXPECT_EQ(differing(a, b, {}), (std::vector<Aspect>{Aspect::kOut, Aspect::kErr, Aspect::kExit,
                                                      Aspect::kReport, Aspect::kFiles}));
  b.signal = 6;
  EXPECT_EQ(differing(a, b, {})[2], Aspect::kCrash);
  Behaviour removing;
  removing.removed_input = true;
  EXPECT_EQ(differing(a, removing, {}), std::vector<Aspect>{Aspect::kFiles});
}

TEST(Differing, ThoseThatWereEndedAreEqual) {
  Behaviour slow = printing("some"), endless = printing("any");
  slow.timed_out = true;
  endless.wrote_too_much = true;
  EXPECT_TRUE(differing(slow, endless, {}).empty());
  EXPECT_EQ(differing(slow, printing("all"), {}), std::vector<Aspect>{Aspect::kTime});
}

TEST(Differing, IgnoresLinesThatMatch) {
  const IgnoredLines dates{{"^[0-9]{4}-[0-9]{2}", "took .* ms"}};
  EXPECT_TRUE(differing(printing("2026-01 a\nx\n"), printing("x\nit took 5 ms"), dates).empty());
  EXPECT_EQ(differing(printing("2026-01 a\nx\n"), printing("y\n"), dates), std::vector<Aspect>{Aspect::kOut});
  // Long lines do not exhaust the stack.
  EXPECT_EQ(differing(printing(std::string(1 << 20, 'a')), printing("b"), {{"(a|b)*c"}}),
            std::vector<Aspect>{Aspect::kOut});
  Behaviour a, b;
  a.files["log"] = "2026-01 begin\n";
  b.files["log"] = "2027-01 end\n";
  EXPECT_TRUE(differing(a, b, dates).empty());
}

}  // namespace
}  // namespace heddle::interact
