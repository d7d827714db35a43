#include "generate/test_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace heddle::generate {
namespace {

constexpr std::array<const char*, 3> kThreadNames = {"first", "second", "third"};

// "operator[]" → "operator_subscript": something that can be part of a name.
std::string identifier(const std::string& name) {
  static const std::map<std::string, std::string> kOperators = {
      {"operator[]", "subscript"},  {"operator()", "call"},      {"operator==", "equals"},
      {"operator!=", "differs"},    {"operator<", "less"},       {"operator+=", "add"},
      {"operator-=", "subtract"},   {"operator++", "increment"}, {"operator--", "decrement"},
      {"operator<<", "shift_in"},   {"operator>>", "shift_out"}, {"operator bool", "as_bool"},
      {"operator*", "dereference"}, {"operator->", "arrow"}};
  const auto known = kOperators.find(name);
  if (known != kOperators.end()) return known->second;
  std::string text;
  for (const char c : name) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return text;
}

std::string camel_case(const std::string& name) {
  std::string text;
  bool is_start = true;
  for (const char c : name) {
    if (c == '_') {
      is_start = true;
      continue;
    }
    text += is_start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    is_start = false;
  }
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// One plan as the statements of a test body.
class Body {
 public:
  Body(const CallPlan& plan, const ClassModel& model, const OperationTable& operations)
      : plan_(plan), model_(model), operations_(operations) {
    find_used_results();
  }

  std::string write(bool compares, const std::vector<SequentialOrder>& orders) {
    construct();
    size_t index = 0;
    for (const OperationId call : plan_.before) write_before(call, index++);
    if (!plan_.before.empty()) text_ += "\n";
    const size_t first_of_threads = index;
    for (const auto& thread : plan_.threads)
      for (const OperationId call : thread) names_.push_back(result_name(call));
    for (const OperationId call : plan_.after) names_.push_back(result_name(call, "_afterwards"));
    if (compares) declare_results(plan_.calls() - plan_.before.size() - plan_.after.size());
    size_t at = 0;
    for (size_t i = 0; i < plan_.threads.size(); ++i) write_thread(i, &at, first_of_threads, compares);
    for (size_t i = 0; i < plan_.threads.size(); ++i) text_ += fmt::format("  {}.join();\n", kThreadNames[i]);
    if (!compares) return std::move(text_);
    for (const OperationId call : plan_.after) {
      text_ += fmt::format("  const std::string {} = HEDDLE_OUTCOME({});\n", names_[at++],
                           code_of(call, plan_.before));
    }
    write_comparison(orders);
    return std::move(text_);
  }

 private:
  const std::string& method(OperationId call) const {
    return model_.methods[operations_[call].callable].name;
  }

  void find_used_results() {
    const auto look = [&](const std::vector<OperationId>& calls) {
      for (const OperationId call : calls)
        used_.insert(operations_[call].needs.begin(), operations_[call].needs.end());
    };
    look(plan_.before);
    for (const auto& thread : plan_.threads) look(thread);
    look(plan_.after);
  }

  // Unique and telling: the method, numbered if it is called more than once.
  std::string result_name(OperationId call, const std::string& suffix = "") {
    const std::string base = identifier(method(call)) + suffix;
    const uint32_t number = ++counts_[base];
    return number == 1 && suffix.empty()
               ? base + "_result"
               : fmt::format("{}{}", base, number == 1 ? "" : std::to_string(number));
  }

  void construct() {
    const Operation& constructor = operations_[plan_.constructor];
    text_ += constructor.code.find('=') == std::string::npos
                 ? fmt::format("  {} object{};\n", model_.spelled, constructor.code)
                 : fmt::format("  auto object{};\n", constructor.code);
    if (uses_other()) text_ += fmt::format("  {} other{};\n", model_.spelled, constructor.code);
  }

  bool uses_other() const {
    const auto uses = [&](const std::vector<OperationId>& calls) {
      return std::any_of(calls.begin(), calls.end(), [&](OperationId call) {
        return operations_[call].takes_other || operations_[call].receiver == "other";
      });
    };
    return uses(plan_.before) || uses(plan_.after) ||
           std::any_of(plan_.threads.begin(), plan_.threads.end(), uses);
  }

  // The call with the names of the results that it takes.
  std::string code_of(OperationId call, const std::vector<OperationId>& /*made*/) const {
    std::string code = operations_[call].code;
    for (const uint32_t needed : operations_[call].needs) {
      const auto saved = saved_.find(needed);
      if (saved == saved_.end()) continue;
      const std::string mark = fmt::format("${}", needed);
      for (size_t at = code.find(mark); at != std::string::npos; at = code.find(mark, at + 1)) {
        const size_t end = at + mark.size();
        if (end < code.size() && std::isdigit(static_cast<unsigned char>(code[end])) != 0) continue;
        code.replace(at, mark.size(), saved->second);
      }
    }
    return code;
  }

  bool is_used(OperationId call) const { return used_.contains(operations_[call].callable); }

  std::string save(OperationId call, const std::string& indent) {
    const std::string name = fmt::format("{}_{}", identifier(method(call)), ++saves_);
    std::string line = fmt::format("{}auto {} = {};\n", indent, name, code_of(call, {}));
    saved_[operations_[call].callable] = name;
    return line;
  }

  void write_before(OperationId call, size_t /*index*/) {
    text_ += is_used(call) ? save(call, "  ") : fmt::format("  HEDDLE_OUTCOME({});\n", code_of(call, {}));
  }

  void declare_results(size_t count) {
    text_ +=
        fmt::format("  std::string {};\n",
                    fmt::join(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  }

  void write_thread(size_t thread, size_t* at, size_t /*first*/, bool compares) {
    const std::map<uint32_t, std::string> outer = saved_;
    std::vector<std::string> lines;
    for (const OperationId call : plan_.threads[thread]) {
      const std::string& name = names_[(*at)++];
      if (is_used(call)) {
        std::string line = save(call, "");
        line.pop_back();
        lines.push_back(line);
        if (compares)
          lines.push_back(fmt::format("{} = heddle::text_of({});", name, saved_[operations_[call].callable]));
      } else if (compares) {
        lines.push_back(fmt::format("{} = HEDDLE_OUTCOME({});", name, code_of(call, {})));
      } else {
        lines.push_back(fmt::format("HEDDLE_OUTCOME({});", code_of(call, {})));
      }
    }
    saved_ = outer;
    if (lines.size() == 1) {
      text_ += fmt::format("  std::thread {}([&] {{ {} }});\n", kThreadNames[thread], lines[0]);
      return;
    }
    text_ += fmt::format("  std::thread {}([&] {{\n", kThreadNames[thread]);
    for (const std::string& line : lines) text_ += "    " + line + "\n";
    text_ += "  });\n";
  }

  void write_comparison(const std::vector<SequentialOrder>& orders) {
    std::set<std::vector<std::string>> different;
    text_ +=
        "\n  // What the calls give one after the other, in every order that keeps those of a thread in "
        "theirs.\n";
    text_ += "  const std::vector<std::vector<std::string>> in_some_order = {\n";
    for (const SequentialOrder& order : orders) {
      if (!order.run.finished()) continue;
      std::vector<std::string> results;
      for (size_t i = plan_.before.size(); i < order.run.results.size(); ++i)
        results.push_back(quoted(order.run.results[i].text));
      if (different.insert(results).second) text_ += fmt::format("      {{{}}},\n", fmt::join(results, ", "));
    }
    text_ += "  };\n";
    text_ += fmt::format("  const std::vector<std::string> results = {{{}}};\n", fmt::join(names_, ", "));
    text_ += "  EXPECT_PRED2(heddle::is_one_of, results, in_some_order);\n";
  }

  const CallPlan& plan_;
  const ClassModel& model_;
  const OperationTable& operations_;
  std::string text_;
  std::vector<std::string> names_;  // of results that are compared: by the threads, then afterwards
  std::map<std::string, uint32_t> counts_;
  std::set<uint32_t> used_;                // methods whose results are arguments
  std::map<uint32_t, std::string> saved_;  // their latest results
  uint32_t saves_ = 0;
};

bool compares_results(trace::OutcomeKind shows) {
  return shows == trace::OutcomeKind::kAtomicity || shows == trace::OutcomeKind::kOk;
}

}  // namespace

std::string suite_name(const ClassModel& model) {
  std::string name = model.name.substr(0, model.name.find('<'));
  const size_t scope = name.rfind("::");
  if (scope != std::string::npos) name = name.substr(scope + 2);
  return camel_case(identifier(name)) + "Concurrency";
}

std::string test_name(const CallPlan& plan, const ClassModel& model, const OperationTable& operations) {
  std::string name;
  for (const std::vector<OperationId>& thread : plan.threads) {
    if (!name.empty()) name += "With";
    for (size_t i = 0; i < thread.size(); ++i)
      name +=
          (i == 0 ? "" : "Then") + camel_case(identifier(model.methods[operations[thread[i]].callable].name));
  }
  return name;
}

std::string test_source(const CallPlan& plan, trace::OutcomeKind shows,
                        const std::vector<SequentialOrder>& orders, const ClassModel& model,
                        const OperationTable& operations, const TestSourceOptions& options) {
  const bool compares = compares_results(shows);
  std::string text;
  for (const std::string& remark : options.remarks)
    text += remark.empty() ? "//\n" : fmt::format("// {}\n", remark);
  text += "#include <string>\n#include <thread>\n#include <vector>\n\n";
  text += "#include <gtest/gtest.h>\n#include <heddle/heddle.h>\n#include <heddle/outcome.h>\n\n";
  for (const std::string& header : options.headers) text += fmt::format("#include \"{}\"\n", header);
  const bool detects =
      shows == trace::OutcomeKind::kRace || shows == trace::OutcomeKind::kUseAfterFree || !compares;
  std::string settings;
  if (options.policy != "random") settings += fmt::format(".policy = \"{}\", ", options.policy);
  settings += fmt::format(".seed = {}", options.seed);
  if (detects) settings += ", .detect_races = true";
  text += fmt::format("\nHEDDLE_TEST_WITH({}, {}, {{{}}}) {{\n", options.suite, options.name, settings);
  text += Body(plan, model, operations).write(compares, orders);
  return text + "}\n";
}

}  // namespace heddle::generate
