#include "generate/generator.h"

#include <utility>

#include <fmt/format.h>
#include "generate/observers.h"

#include "generate/reduction.h"
#include "support/interruption.h"

namespace heddle::generate {
namespace {

// How much of each before it is the other's turn.
constexpr uint64_t kSequencesOfATurn = 200;
constexpr uint64_t kTestsOfATurn = 40;
constexpr uint64_t kFillingTestsOfATurn = 40;
// The more filling tests in a row find nothing, the more it is worth to look at known ones again.
constexpr uint64_t kDeepenedTestsOfATurn = 1;
constexpr uint64_t kBarrenTestsForAnother = 100;
// So many in a row that find and cover no requirement, and there is nothing left to find.
constexpr uint64_t kMostBarrenTests = 1000;
// Of each filling test: what prediction does not find in it is not what it is for.
constexpr uint32_t kExecutionsOfFilling = 4;
constexpr int kMostFailuresOfTest = 4;

std::vector<std::string> method_names(const ClassModel& model) {
  std::vector<std::string> names;
  for (const Callable& method : model.methods) names.push_back(method.name);
  return names;
}

}  // namespace

Generator::Generator(DriverSession& session, const ClassModel& model, const OperationTable& operations,
                     Symbolizer& symbolizer, GeneratorOptions options, GeneratorListener& listener)
    : session_(session),
      operations_(operations),
      options_(std::move(options)),
      listener_(listener),
      search_(session, operations, options_.search),
      queue_(search_, operations,
             {.threads = options_.threads, .requirements = &requirements_, .methods = method_names(model)}),
      filling_(search_, operations, options_.threads, options_.seed),
      trial_(session, operations, model, requirements_, symbolizer) {}

bool Generator::is_over() const {
  return was_interrupted() || failures_ >= options_.most_failures || time_.is_over();
}

GeneratorStatus Generator::status() const {
  return {.search = search_.counts(),
          .requirements = requirements_.counts(),
          .tests = result_.status.tests,
          .executions = executions_,
          .failures = failures_,
          .seconds = time_.seconds()};
}

Error Generator::no_object() const {
  std::string text = "no object could be made:";
  for (const Unusable& constructor : search_.unusable())
    text += fmt::format("\n  {}: {}", constructor.signature, constructor.reason);
  return {text + "\nsay how under [construct] in a --pools file"};
}

std::set<uint32_t> Generator::opaque_methods() const {
  std::set<uint32_t> opaque;
  std::set<uint32_t> telling;
  for (const SequenceNode& node : search_.nodes()) {
    for (const ExploredCall& call : node.explored) {
      if (call.end != RunEnd::kFinished || call.result.threw || !operations_[call.operation].has_result)
        continue;
      const bool says_nothing = call.result.text == "object" || call.result.text == "non-null";
      (says_nothing ? opaque : telling).insert(operations_[call.operation].callable);
    }
  }
  std::erase_if(opaque, [&](uint32_t method) { return telling.contains(method); });
  return opaque;
}

Expected<GeneratorResult> Generator::run() {
  if (const Expected<void> begun = search_.begin(); !begun) return tl::unexpected(begun.error());
  if (search_.nodes().empty()) return tl::unexpected(no_object());
  Expected<std::vector<OperationId>> observers =
      choose_observers(session_, operations_, search_.nodes().front().constructor);
  if (!observers) return tl::unexpected(observers.error());
  observers_ = std::move(*observers);
  bool grows = true;
  bool has_tests = true;
  bool fills = true;
  bool deepens = true;
  while (!is_over() && (grows || has_tests || fills || deepens)) {
    if (grows) {
      const Expected<bool> more = grow();
      if (!more) return tl::unexpected(more.error());
      grows = *more;
    }
    if (grows || has_tests) {
      const Expected<bool> more = execute(/*all=*/!grows);
      if (!more) return tl::unexpected(more.error());
      has_tests = *more || (!grows && queue_.add_longer_tests());
    }
    const Expected<bool> more = fill();
    if (!more) return tl::unexpected(more.error());
    fills = *more;
    const bool has_others = grows || has_tests || fills;
    const Expected<bool> deeper = deepen(/*all=*/!has_others);
    if (!deeper) return tl::unexpected(deeper.error());
    deepens = *deeper;
  }
  result_.complete = !grows && !has_tests && !fills && !deepens;
  result_.status = status();
  return std::move(result_);
}

Expected<bool> Generator::grow() {
  const uint64_t until = search_.counts().sequences + kSequencesOfATurn;
  while (!is_over() && search_.counts().sequences < until) {
    const Expected<std::optional<uint32_t>> node = search_.expand_next();
    if (!node) return tl::unexpected(node.error());
    if (!*node) return false;
    queue_.add_node(**node);
    listener_.on_progress(status());
  }
  return true;
}

Expected<bool> Generator::execute(bool all) {
  for (uint64_t i = 0; (all || i < kTestsOfATurn) && !is_over(); ++i) {
    std::optional<CallPlan> plan = queue_.next();
    if (!plan) return false;
    plan->after = observers_;
    if (const Expected<void> tried = try_chosen(*plan); !tried) return tl::unexpected(tried.error());
  }
  return true;
}

Expected<bool> Generator::fill() {
  for (uint64_t i = 0; i < kFillingTestsOfATurn && !is_over(); ++i) {
    std::optional<CallPlan> plan = filling_.next();
    if (!plan) return false;
    plan->after = observers_;
    const Requirements::Counts before = requirements_.counts();
    TrialOptions options = trial_options();
    options.random_executions = kExecutionsOfFilling;
    if (const Expected<bool> tried = try_test(*plan, options); !tried) return tl::unexpected(tried.error());
    const Requirements::Counts now = requirements_.counts();
    barren_ = now.found > before.found || now.covered > before.covered ? 0 : barren_ + 1;
  }
  return barren_ < kMostBarrenTests;
}

Expected<void> Generator::try_chosen(const CallPlan& plan) {
  const Expected<bool> ends = try_test(plan, trial_options());
  if (!ends) return tl::unexpected(ends.error());
  if (*ends) return {};
  // Some of them wait for what others take away: so there has to be more of it.
  for (size_t thread = 0; thread < plan.threads.size() && !is_over(); ++thread) {
    CallPlan longer = plan;
    longer.threads[thread].push_back(longer.threads[thread].front());
    const Expected<bool> tried = try_test(longer, trial_options());
    if (!tried) return tl::unexpected(tried.error());
    if (*tried) return {};
  }
  return {};
}

// What prediction does not see may still be found by chance.
Expected<bool> Generator::deepen(bool all) {
  const uint64_t most = kDeepenedTestsOfATurn + barren_ / kBarrenTestsForAnother;
  for (uint64_t i = 0; (all || i < most) && !is_over(); ++i) {
    if (shallow_.empty()) return false;
    const CallPlan plan = std::move(shallow_.front());
    shallow_.pop_front();
    TrialOptions options = trial_options();
    options.predicts = false;
    if (const Expected<bool> tried = try_plan(plan, options); !tried) return tl::unexpected(tried.error());
  }
  return !shallow_.empty();
}

// Each trial has seeds of its own.
TrialOptions Generator::trial_options() const {
  return {
      .random_executions = options_.random_executions, .seed = options_.seed + executions_, .time = &time_};
}

Expected<bool> Generator::try_test(const CallPlan& plan, const TrialOptions& options) {
  ++result_.status.tests;
  const Requirements::Counts before = requirements_.counts();
  Expected<bool> tried = try_plan(plan, options);
  const Requirements::Counts now = requirements_.counts();
  filling_.tell(plan, now.found - before.found + now.covered - before.covered);
  return tried;
}

// What fails is looked at again without that failure: there may be more in it.
Expected<bool> Generator::try_plan(const CallPlan& plan, const TrialOptions& options) {
  for (int failures = 0; failures < kMostFailuresOfTest && !is_over(); ++failures) {
    Expected<TrialResult> tried = try_once(plan, options);
    if (!tried) return tl::unexpected(tried.error());
    if (tried->failure) {
      if (const Expected<void> looked = look_into(std::move(*tried->failure)); !looked)
        return tl::unexpected(looked.error());
      continue;
    }
    if (options.predicts && tried->unusable.empty() && tried->random_executions < options.random_executions)
      shallow_.push_back(plan);
    if (failures == 0 && tried->covered > 0)
      result_.suite.push_back({plan, tried->covered, std::move(tried->right)});
    return !tried->ends_never;
  }
  return true;
}

Expected<TrialResult> Generator::try_once(const CallPlan& plan, const TrialOptions& options) {
  Expected<TrialResult> tried = trial_.try_plan(plan, options);
  if (tried) executions_ += tried->executions;
  listener_.on_progress(status());
  return tried;
}

Expected<void> Generator::look_into(TestFailure failure) {
  FoundFailure found{
      .failure = {}, .tests = result_.status.tests, .executions = executions_, .seconds = status().seconds};
  if (options_.reduces) {
    const FailureName found_as = failure;
    Expected<TestFailure> smaller = reduce(trial_, operations_, std::move(failure),
                                           {.random_executions = options_.random_executions,
                                            .seed = options_.seed,
                                            .time = &time_,
                                            .both_ways = false,
                                            .repeats = true});
    if (!smaller) return tl::unexpected(smaller.error());
    // Only now: it had to show again.
    found.failure = std::move(*smaller);
    trial_.ignore(found_as, /*with_like=*/false);
  } else {
    found.failure = std::move(failure);
  }
  const Expected<bool> is_news = listener_.on_failure(found);
  if (!is_news) return tl::unexpected(is_news.error());
  // What is no news hides nothing else.
  trial_.ignore(found.failure, *is_news);
  if (*is_news) ++failures_;
  return {};
}

}  // namespace heddle::generate
