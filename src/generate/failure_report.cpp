#include "generate/failure_report.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "generate/identifiers.h"
#include "report/columns.h"
#include "report/interleaving.h"
#include "report/text.h"
#include "report/wrong_results.h"

namespace heddle::generate {
namespace {

// Orders that are listed; who wants all of them finds them in the test.
constexpr size_t kOrdersTold = 6;
constexpr size_t kLongestResult = 100;
// Of the interleaving in a comment.
constexpr size_t kMostRowsOfRemark = 24;
constexpr size_t kWidthOfRemark = 110;

// "→ 3"; of a call that never ended, nothing.
std::string given(const CallResult& result) {
  if (result.ended == 0) return " has not ended";
  return fmt::format(" → {}", cut_text(printable(result.text), kLongestResult));
}

}  // namespace

// "release($3)" → "release(acquire_result)".
std::string FailureReport::label(OperationId call) const {
  std::string text = operations_[call].label;
  for (const uint32_t needed : operations_[call].needs) {
    const std::string mark = fmt::format("${}", needed);
    const std::string name = identifier(model_.methods[needed].name) + "_result";
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + name.size())) {
      const size_t end = at + mark.size();
      if (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) continue;
      text.replace(at, mark.size(), name);
    }
  }
  return text;
}

std::string FailureReport::concurrent_calls(const CallPlan& plan) const {
  std::vector<std::string> threads;
  for (const std::vector<OperationId>& thread : plan.threads) {
    std::vector<std::string> labels;
    for (const OperationId call : thread) labels.push_back(label(call));
    threads.push_back(fmt::format("`{}`", fmt::join(labels, "; ")));
  }
  return fmt::format("{}", fmt::join(threads, " and "));
}

Paragraph FailureReport::calls(const TestFailure& failure) const {
  Paragraph paragraph{"the calls:", {}};
  const CallPlan& plan = failure.plan;
  const auto result = [&](size_t index) {
    return index < failure.run.results.size() ? given(failure.run.results[index]) : std::string();
  };
  const Operation& constructor = operations_[plan.constructor];
  paragraph.lines.push_back(fmt::format("main: {} object{}", model_.spelled, constructor.code));
  size_t index = 0;
  for (const OperationId call : plan.before)
    paragraph.lines.push_back(fmt::format("main: {}{}", label(call), result(index++)));
  for (size_t thread = 0; thread < plan.threads.size(); ++thread) {
    for (const OperationId call : plan.threads[thread])
      paragraph.lines.push_back(fmt::format("main/{}: {}{}", thread + 1, label(call), result(index++)));
  }
  for (const OperationId call : plan.after) {
    if (index < failure.run.results.size() && failure.run.results[index].ended == 0) break;
    paragraph.lines.push_back(fmt::format("main, afterwards: {}{}", label(call), result(index++)));
  }
  return paragraph;
}

// "main/2 first: size() → 0, put(1, 2) → done, afterwards size() → 1"
std::string FailureReport::results_in(const CallPlan& plan, const SequentialOrder& order) const {
  std::vector<size_t> next;  // of each thread, its next call's place among the plan's results
  size_t at = plan.before.size();
  for (const std::vector<OperationId>& thread : plan.threads) {
    next.push_back(at);
    at += thread.size();
  }
  const std::vector<size_t> begin = next;
  std::vector<std::string> parts;
  for (const uint32_t thread : order.turns) {
    const size_t index = next[thread]++;
    parts.push_back(label(plan.threads[thread][index - begin[thread]]) + given(order.run.results[index]));
  }
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  parts.clear();
  for (size_t i = 0; i < plan.after.size(); ++i)
    parts.push_back(label(plan.after[i]) + given(order.run.results[at + i]));
  if (!parts.empty()) text += fmt::format("; afterwards {}", fmt::join(parts, ", "));
  return text;
}

Paragraph FailureReport::orders(const TestFailure& failure) const {
  Paragraph paragraph{"one after the other, they give:", {}};
  std::set<std::string> told;
  for (const SequentialOrder& order : failure.right.orders) {
    std::string text = order.run.finished() ? results_in(failure.plan, order) : "they do not all end";
    if (!told.insert(text).second) continue;
    if (told.size() > kOrdersTold) {
      paragraph.lines.push_back(fmt::format("… ({} orders in all)", failure.right.orders.size()));
      break;
    }
    paragraph.lines.push_back(std::move(text));
  }
  return paragraph;
}

FailureStory FailureReport::tell(ReportContext& context, const TestFailure& failure) const {
  std::vector<Paragraph> front = {calls(failure)};
  std::optional<FailureStory> story = tell_failure(context);
  if (!story || failure.kind == trace::OutcomeKind::kAtomicity) {
    story =
        tell_wrong_results(context,
                           fmt::format("{} at the same time give results that no order of the calls gives",
                                       concurrent_calls(failure.plan)),
                           {fmt::format("class {}", model_.name), failure.identity});
    front.push_back(orders(failure));
  }
  story->details.insert(story->details.begin(), front.begin(), front.end());
  // What main does stands in the test.
  if (!story->has_thread(0) && !story->ends.contains(0)) story->bystanders.push_back(0);
  return std::move(*story);
}

std::vector<std::string> FailureReport::remarks(ReportContext& context, const FailureStory& story) const {
  std::vector<std::string> lines = {printable(story.message), ""};
  const Flow flow =
      make_flow(context, story, {.rows = kMostRowsOfRemark, .threads = columns_that_fit(kWidthOfRemark)}, {});
  for (const std::string& line : render_columns(flow, kWidthOfRemark, Paint(/*enabled=*/false)))
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  return lines;
}

}  // namespace heddle::generate
