// Clang numbers the lambdas of a unit in their order, so that one more in a header gives all that come after
// it other names. What they do has not changed.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "select/lambda_numbers.h"
#include "two_versions.h"

namespace heddle::select {
namespace {

constexpr const char* kOneLambda = "static const int first_setting = [] { return 1; }();\n";
constexpr const char* kTable = R"(#include "settings.h"
#include <mutex>
#include <thread>
std::mutex mu;
int locked, unlocked;
struct Operation { void (*run)(int); };
const Operation operations[] = {
    {[](int by) { std::lock_guard<std::mutex> lock(mu); locked += by; }},
    {[](int by) { unlocked += by; }},
};
void work(int which) { operations[which].run(first_setting); }
int main() {
  std::thread one([] { work(0); });
  std::thread other([] { work(1); });
  one.join();
  other.join();
}
)";

std::vector<std::string> impacted(const TwoVersions& versions) {
  std::vector<std::string> names;
  for (const SharedVariable& variable : versions.changed().variables)
    if (variable.is_impacted() && variable.file == "main.cpp")
      names.push_back(variable.name + " in line " + std::to_string(variable.line));
  return names;
}

TEST(LambdaNumbers, AreFoundBetweenOtherDigits) {
  const auto seven = [](std::string_view) { return std::string("7"); };
  EXPECT_EQ(with_lambda_numbers("_ZN12_GLOBAL__N_14$_208__invokeEi@a.cpp", seven),
            "_ZN12_GLOBAL__N_13$_78__invokeEi@a.cpp");
  EXPECT_EQ(with_lambda_numbers("_ZZN3$_01fEvENK5$_123clEv", seven), "_ZZN3$_71fEvENK3$_7clEv");
  EXPECT_EQ(with_lambda_numbers("_ZN4cash3$_xEv", seven), "_ZN4cash3$_xEv");
  EXPECT_FALSE(has_lambda_number("_ZN3std6threadEv"));
}

TEST(LambdaNumbers, OfACallOperatorIsThatOfItsLambda) {
  EXPECT_EQ(lambda_called("_ZZ4mainENK4$_12clEv"), "12");
  EXPECT_EQ(lambda_called("_ZZZ4mainENK3$_1clEvENK3$_2clEv"), "2");
  EXPECT_EQ(lambda_called("_ZN3$_18__invokeEv"), "");
  EXPECT_EQ(lambda_called("_ZN5Class5clearEv"), "");
}

TEST(LambdaNumbers, OfLambdasThatAreAsTheyWereSayNothing) {
  const std::string two = std::string("static const int new_setting = [] { return 2; }();\n") + kOneLambda;
  const TwoVersions versions({{"main.cpp", kTable}, {"settings.h", kOneLambda}},
                             {{"main.cpp", kTable}, {"settings.h", two}});
  ASSERT_FALSE(versions.changed().variables.empty());
  EXPECT_EQ(impacted(versions), std::vector<std::string>());
}

// twice() is instantiated for a lambda in each of two lambdas.
TEST(LambdaNumbers, InNamesOfTemplateInstancesAreThoseOfTheirLambdas) {
  const std::string program = R"(#include "settings.h"
#include <mutex>
#include <thread>
std::mutex mu;
int locked, unlocked;
template <typename Body> void twice(Body body) { body(); body(); }
struct Operation { void (*run)(int); };
const Operation operations[] = {
    {[](int by) { twice([by] { std::lock_guard<std::mutex> lock(mu); locked += by; }); }},
    {[](int by) { twice([by] { unlocked += by; }); }},
};
void work(int which) { operations[which].run(first_setting); }
int main() {
  std::thread one([] { work(0); });
  std::thread other([] { work(1); });
  one.join();
  other.join();
}
)";
  const std::string two = std::string("static const int new_setting = [] { return 2; }();\n") + kOneLambda;
  const TwoVersions versions({{"main.cpp", program}, {"settings.h", kOneLambda}},
                             {{"main.cpp", program}, {"settings.h", two}});
  ASSERT_FALSE(versions.changed().variables.empty());
  EXPECT_EQ(impacted(versions), std::vector<std::string>());
}

TEST(LambdaNumbers, DoNotHideThatATableHasOtherLambdas) {
  std::string exchanged = kTable;
  exchanged.replace(exchanged.find("std::lock_guard<std::mutex> lock(mu); "), 38, "");
  const TwoVersions versions({{"main.cpp", kTable}, {"settings.h", kOneLambda}},
                             {{"main.cpp", exchanged}, {"settings.h", kOneLambda}});
  const std::vector<std::string> names = impacted(versions);
  EXPECT_TRUE(std::any_of(names.begin(), names.end(),
                          [](const std::string& name) { return name == "locked in line 8"; }));
}

}  // namespace
}  // namespace heddle::select
