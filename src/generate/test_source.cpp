#include "generate/test_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "generate/handles.h"
#include "generate/identifiers.h"
#include "generate/structure_texts.h"
#include "generate/type_names.h"

namespace heddle::generate {
namespace {

using trace::OutcomeKind;

constexpr std::array<const char*, 3> kThreadNames = {"first", "second", "third"};

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

// Nothing but a call, to which a cast applies as a whole.
bool is_one_call(const std::string& code) {
  int depth = 0;
  for (const char c : code) {
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    if (depth == 0 && std::string_view(" +-*/%<>=!&|^?,").find(c) != std::string_view::npos) return false;
  }
  return true;
}

void for_each_call(const CallPlan& plan, const auto& visit) {
  for (const OperationId call : plan.before) visit(call);
  for (const std::vector<OperationId>& thread : plan.threads) {
    for (const OperationId call : thread) visit(call);
  }
  for (const OperationId call : plan.after) visit(call);
}

// Of the table, those that a test needs.
std::set<uint32_t> fixtures_of(const CallPlan& plan, const OperationTable& operations) {
  std::set<uint32_t> used;
  const auto add = [&](OperationId call) {
    used.insert(operations[call].fixtures.begin(), operations[call].fixtures.end());
  };
  add(plan.constructor);
  for_each_call(plan, add);
  return used;
}

// Of these, those that are named: by a call, or by another one that is. Of the others the definition alone is
// needed.
std::set<uint32_t> named_fixtures(const CallPlan& plan, const OperationTable& operations) {
  std::string text = operations[plan.constructor].code;
  for_each_call(plan, [&](OperationId call) { text += "\n" + operations[call].code; });
  const std::set<uint32_t> used = fixtures_of(plan, operations);
  std::set<uint32_t> named;
  // Each comes behind those that it names.
  for (auto fixture = used.rbegin(); fixture != used.rend(); ++fixture) {
    if (!mentions(text, operations.fixtures[*fixture].name)) continue;
    named.insert(*fixture);
    text += "\n" + operations.fixtures[*fixture].declaration;
  }
  return named;
}

// One plan as the statements of a test body.
class Body {
 public:
  Body(const TestCase& test, const ClassModel& model, const OperationTable& operations)
      : test_(test),
        plan_(test.plan),
        model_(model),
        operations_(operations),
        compares_(shows_in_results(test.shows)) {
    for_each_call(plan_, [&](OperationId call) {
      used_.insert(operations_[call].needs.begin(), operations_[call].needs.end());
    });
  }

  std::string write() {
    construct();
    size_t index = 0;
    for (const OperationId call : plan_.before) add_line("  ", statement(call, index++));
    if (!plan_.before.empty()) text_ += "\n";
    name_results(index);
    declare_results();
    for (size_t i = 0; i < plan_.threads.size(); ++i) write_thread(i, &index);
    for (size_t i = 0; i < plan_.threads.size(); ++i) text_ += fmt::format("  {}.join();\n", kThreadNames[i]);
    for (const OperationId call : plan_.after) write_after(call, index++);
    if (compares_) write_comparison();
    return std::move(text_);
  }

 private:
  const std::string& method(OperationId call) const {
    return model_.methods[operations_[call].callable].name;
  }

  void add_line(const std::string& indent, const std::string& line) { text_ += indent + line + "\n"; }

  void construct() {
    for (const uint32_t fixture : named_fixtures(plan_, operations_))
      add_line("  ", operations_.fixtures[fixture].declaration);
    declare("object");
    if (uses_other()) declare("other");
    if (gives_handles()) add_line("  ", "heddle::Kept kept;");
  }

  // What makes the object may give it by value, or something that holds it.
  void declare(const std::string& name) {
    const Operation& constructor = operations_[plan_.constructor];
    const std::string& code = constructor.code;
    if (code.find('=') != code.find_first_not_of(' ')) {
      // As a pools file may say it, it would declare a function: `Cache object();`, `Cache object(Key());`.
      if (code == "()")
        add_line("  ", fmt::format("{} {}{{}};", model_.spelled, name));
      else if (code.ends_with("())"))
        add_line("  ", fmt::format("auto {} = {}{};", name, model_.spelled, code));
      else
        add_line("  ", fmt::format("{} {}{};", model_.spelled, name, code));
      return;
    }
    const std::string& given = model_.constructors[constructor.callable].result;
    if (given.ends_with("&")) {
      add_line("  ", fmt::format("auto& {}{};", name, code));
    } else if (given.ends_with("*") || given.starts_with("std::unique_ptr<") ||
               given.starts_with("std::shared_ptr<")) {
      add_line("  ", fmt::format("auto {}_owner{};", name, code));
      add_line("  ", fmt::format("auto& {0} = *{0}_owner;", name));
    } else {
      add_line("  ", fmt::format("auto {}{};", name, code));
    }
  }

  bool gives_handle(OperationId call) const {
    return is_handle(model_, model_.methods[operations_[call].callable].result);
  }

  bool gives_handles() const {
    bool gives = false;
    for_each_call(plan_, [&](OperationId call) { gives = gives || gives_handle(call); });
    return gives;
  }

  bool uses_other() const {
    bool uses = false;
    for_each_call(plan_, [&](OperationId call) {
      uses = uses || operations_[call].takes_other || operations_[call].receiver == "other";
    });
    return uses;
  }

  // The call with the names of the results that it takes.
  std::string code_of(OperationId call) const {
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

  // Whether it throws when the calls are made one after the other.
  bool may_throw(size_t index) const {
    return std::any_of(test_.right.orders.begin(), test_.right.orders.end(),
                       [&](const SequentialOrder& order) {
                         return index < order.run.results.size() && order.run.results[index].threw;
                       });
  }

  std::string save(OperationId call) {
    const std::string name = fmt::format("{}_{}", identifier(method(call)), ++saves_);
    std::string line = fmt::format("auto{} {} = {};", gives_handle(call) ? "&" : "", name, expression(call));
    saved_[operations_[call].callable] = name;
    return line;
  }

  // With what it gives kept, if its end means something.
  std::string expression(OperationId call) const {
    return gives_handle(call) ? fmt::format("kept({})", code_of(call)) : code_of(call);
  }

  // A call whose result is not compared.
  std::string statement(OperationId call, size_t index) {
    if (is_used(call)) return save(call);
    const std::string made = expression(call);
    if (may_throw(index)) return fmt::format("HEDDLE_OUTCOME({});", made);
    if (!operations_[call].has_result || gives_handle(call)) return made + ";";
    return is_one_call(made) ? fmt::format("(void){};", made) : fmt::format("(void)({});", made);
  }

  // Unique and telling: the method, numbered if it is called more than once.
  std::string result_name(OperationId call, const std::string& suffix) {
    const std::string base = identifier(method(call)) + suffix;
    const uint32_t number = ++counts_[base];
    return number == 1 ? base : fmt::format("{}_{}", base, number);
  }

  // Those that are compared: what is different each time means nothing.
  void name_results(size_t first) {
    results_.assign(first, "");
    if (!compares_) {
      results_.resize(plan_.calls());
      return;
    }
    const auto add = [&](OperationId call, const std::string& suffix) {
      const size_t index = results_.size();
      const bool is_stable = index >= test_.right.stable.size() || test_.right.stable[index];
      results_.push_back(is_stable ? result_name(call, suffix) : "");
    };
    for (const std::vector<OperationId>& thread : plan_.threads) {
      for (const OperationId call : thread) add(call, "_result");
    }
    in_threads_ = results_.size();
    for (const OperationId call : plan_.after) add(call, "_afterwards");
  }

  std::vector<std::string> compared(size_t end) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < end; ++i)
      if (!results_[i].empty()) names.push_back(results_[i]);
    return names;
  }

  void declare_results() {
    const std::vector<std::string> names = compared(in_threads_);
    if (!names.empty()) add_line("  ", fmt::format("std::string {};", fmt::join(names, ", ")));
  }

  void write_after(OperationId call, size_t index) {
    const std::string& name = results_[index];
    if (name.empty())
      add_line("  ", statement(call, index));
    else
      add_line("  ", fmt::format("const std::string {} = HEDDLE_OUTCOME({});", name, expression(call)));
  }

  void write_thread(size_t thread, size_t* index) {
    const std::map<uint32_t, std::string> outer = saved_;
    std::vector<std::string> lines;
    for (const OperationId call : plan_.threads[thread]) {
      const size_t number = (*index)++;
      const std::string& name = results_[number];
      if (name.empty()) {
        lines.push_back(statement(call, number));
      } else if (is_used(call)) {
        lines.push_back(save(call));
        lines.push_back(fmt::format("{} = heddle::text_of({});", name, saved_[operations_[call].callable]));
      } else {
        lines.push_back(fmt::format("{} = HEDDLE_OUTCOME({});", name, expression(call)));
      }
    }
    saved_ = outer;
    if (lines.size() == 1) {
      add_line("  ", fmt::format("std::thread {}([&] {{ {} }});", kThreadNames[thread], lines[0]));
      return;
    }
    add_line("  ", fmt::format("std::thread {}([&] {{", kThreadNames[thread]));
    for (const std::string& line : lines) add_line("    ", line);
    add_line("  ", "});");
  }

  void write_comparison() {
    const std::vector<std::string> names = compared(results_.size());
    if (names.empty()) return;
    std::set<std::vector<std::string>> different;
    text_ +=
        "\n  // What the calls give one after the other, in every order that keeps those of a thread in "
        "theirs.\n";
    text_ += "  const std::vector<std::vector<std::string>> in_some_order = {\n";
    for (const SequentialOrder& order : test_.right.orders) {
      if (!order.run.finished()) continue;
      std::vector<std::string> results;
      for (size_t i = 0; i < results_.size() && i < order.run.results.size(); ++i)
        if (!results_[i].empty()) results.push_back(quoted(order.run.results[i].text));
      if (different.insert(results).second) text_ += fmt::format("      {{{}}},\n", fmt::join(results, ", "));
    }
    text_ += "  };\n";
    text_ += fmt::format("  const std::vector<std::string> results = {{{}}};\n", fmt::join(names, ", "));
    text_ += "  EXPECT_PRED2(heddle::is_one_of, results, in_some_order);\n";
  }

  const TestCase& test_;
  const CallPlan& plan_;
  const ClassModel& model_;
  const OperationTable& operations_;
  const bool compares_;
  std::string text_;
  std::vector<std::string> results_;  // by call of the plan: the name of its result, if that is compared
  size_t in_threads_ = 0;             // of `results_`, up to the calls afterwards
  std::map<std::string, uint32_t> counts_;
  std::set<uint32_t> used_;                // methods whose results are arguments
  std::map<uint32_t, std::string> saved_;  // their latest results
  uint32_t saves_ = 0;
};

std::string settings_of(const TestCase& test) {
  std::vector<std::string> settings;
  if (test.policy != "random") settings.push_back(fmt::format(".policy = \"{}\"", test.policy));
  if (test.executions != 0) settings.push_back(fmt::format(".executions = {}", test.executions));
  if (test.detects_races) settings.push_back(".detect_races = true");
  return fmt::format("{}", fmt::join(settings, ", "));
}

std::string test_text(const TestCase& test, const ClassModel& model, const OperationTable& operations,
                      const std::string& suite) {
  std::string text = "\n";
  for (const std::string& remark : test.remarks)
    text += remark.empty() ? "//\n" : fmt::format("// {}\n", remark);
  const std::string settings = settings_of(test);
  text += settings.empty() ? fmt::format("HEDDLE_TEST({}, {}) {{\n", suite, test.name)
                           : fmt::format("HEDDLE_TEST_WITH({}, {}, {{{}}}) {{\n", suite, test.name, settings);
  return text + Body(test, model, operations).write() + "}\n";
}

// Methods whose results are written as texts.
std::set<uint32_t> compared_methods(const std::vector<TestCase>& tests, const OperationTable& operations) {
  std::set<uint32_t> methods;
  for (const TestCase& test : tests) {
    if (shows_in_results(test.shows))
      for_each_call(test.plan, [&](OperationId call) { methods.insert(operations[call].callable); });
  }
  return methods;
}

// Files of tests may be compiled together.
std::string guarded(std::string guard, std::string_view name, const std::string& definition) {
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    guard += std::isalnum(byte) != 0 ? static_cast<char>(std::toupper(byte)) : '_';
  }
  return fmt::format("\n#ifndef {0}\n#define {0}\n{1}\n#endif\n", guard, definition);
}

// "struct QuietListener" of its definition.
std::string_view defined_class(std::string_view definition) {
  const std::string_view name = definition.substr(0, definition.find_first_of(":{"));
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

// What stands in front: includes, and the classes of the fixtures.
std::string head_of(const std::vector<TestCase>& tests, const ClassModel& model,
                    const OperationTable& operations, const TestFileOptions& options) {
  std::set<std::string> system = {"<string>", "<thread>", "<vector>"};
  std::vector<std::string> own;
  for (const std::string& header : options.headers) {
    if (header.find('.') == std::string::npos)
      system.insert(fmt::format("<{}>", header));
    else
      own.push_back(fmt::format("\"{}\"", header));
  }
  for (const std::string& include : operations.includes) {
    if (include.starts_with('<'))
      system.insert(include);
    else if (std::find(own.begin(), own.end(), include) == own.end())
      own.push_back(include);
  }
  std::string text =
      "// Compiled by `heddle c++`, with what the class needs and -lgtest_main -lgtest. Each test executes "
      "its\n"
      "// body under many schedules, and fails with the first one that does.\n";
  for (const std::string& include : system) text += fmt::format("#include {}\n", include);
  text += "\n#include <gtest/gtest.h>\n#include <heddle/heddle.h>\n#include <heddle/outcome.h>\n\n";
  for (const std::string& include : own) text += fmt::format("#include {}\n", include);
  std::set<uint32_t> fixtures;
  for (const TestCase& test : tests) fixtures.merge(fixtures_of(test.plan, operations));
  for (const StructureText& structure : structure_texts(model, compared_methods(tests, operations)))
    text += guarded("HEDDLE_TEXT_OF_", structure.type, structure.definition);
  std::set<std::string> definitions;
  for (const uint32_t fixture : fixtures) {
    const std::string& definition = operations.fixtures[fixture].definition;
    if (definition.empty() || !definitions.insert(definition).second) continue;
    text += guarded("HEDDLE_HAS_", defined_class(definition),
                    fmt::format("namespace {{\n\n{}\n\n}}  // namespace", definition));
  }
  return text;
}

}  // namespace

bool shows_in_results(OutcomeKind kind) {
  return kind == OutcomeKind::kAtomicity || kind == OutcomeKind::kOk;
}

std::string test_file(const std::vector<TestCase>& tests, const ClassModel& model,
                      const OperationTable& operations, const TestFileOptions& options) {
  std::string text = head_of(tests, model, operations, options);
  for (const TestCase& test : tests) text += test_text(test, model, operations, options.suite);
  return text;
}

}  // namespace heddle::generate
