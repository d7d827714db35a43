#include "generate/driver_source.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "generate/source_text.h"
#include "generate/structure_texts.h"
#include "generate/type_names.h"

namespace heddle::generate {
namespace {

// Writes the calls of a table as functions.
class CallsWriter {
 public:
  CallsWriter(const ClassModel& model, const OperationTable& table) : model_(model), table_(table) {}

  DriverSource write(const std::vector<std::string>& headers) {
    for (const std::string& header : headers) text_.add(include_line(header));
    for (uint32_t i = 0; i < table_.includes.size(); ++i)
      text_.add(include_line(table_.includes[i]), {LineOwner::Kind::kInclude, i});
    text_.add("#include \"driver_calls.h\"\n");
    std::vector<std::string> structures = write_structures();
    text_.add(fmt::format("using heddle_driver_class = {};", model_.name));
    text_.add("heddle_driver::Slot<heddle_driver_class> heddle_object;");
    text_.add("heddle_driver::Slot<heddle_driver_class> heddle_other;");
    for (const Operation& operation : table_.operations) used_fixtures_.merge(fixtures_of(operation));
    for (const uint32_t fixture : used_fixtures_) write_fixture(fixture);
    number_results();
    for (const Operation& operation : table_.operations) {
      text_.add("");
      if (operation.is_constructor)
        write_constructor(operation);
      else
        write_call(operation);
    }
    write_tables();
    DriverSource source = text_.take();
    source.structures = std::move(structures);
    return source;
  }

 private:
  static LineOwner owner(const Operation& operation) {
    return {LineOwner::Kind::kOperation, static_cast<uint32_t>(operation.id)};
  }

  std::vector<std::string> write_structures() {
    std::set<uint32_t> methods;
    for (const Operation& operation : table_.operations) {
      if (!operation.is_constructor) methods.insert(operation.callable);
    }
    std::vector<std::string> written;
    for (const StructureText& structure : structure_texts(model_, methods)) {
      text_.add(structure.definition, {LineOwner::Kind::kText, static_cast<uint32_t>(written.size())});
      written.push_back(structure.type);
    }
    return written;
  }

  // Fixtures are static variables of functions, made by main when it first calls those.
  void write_fixture(uint32_t index) {
    const Fixture& fixture = table_.fixtures[index];
    const LineOwner owner{LineOwner::Kind::kFixture, index};
    text_.add("");
    if (!fixture.definition.empty() && definitions_.insert(fixture.definition).second)
      text_.add("namespace {\n" + fixture.definition + "\n}", owner);
    if (fixture.declaration.empty()) return;
    text_.add(fmt::format("static auto& heddle_fixture_{}() {{", index), owner);
    for (uint32_t earlier = 0; earlier < index; ++earlier) {
      if (is_object(earlier) && mentions(fixture.declaration, table_.fixtures[earlier].name))
        text_.add(fixture_by_name(earlier), owner);
    }
    text_.add(fmt::format("  static {}\n  return {};\n}}", fixture.declaration, fixture.name), owner);
    text_.add(fmt::format(
                  "static void* heddle_make_{0}() {{ return heddle_driver::address(heddle_fixture_{0}()); }}",
                  index),
              owner);
  }

  bool is_object(uint32_t fixture) const { return !table_.fixtures[fixture].declaration.empty(); }

  std::string fixture_by_name(uint32_t fixture) const {
    return fmt::format("  auto& {} = heddle_fixture_{}();", table_.fixtures[fixture].name, fixture);
  }

  // What its code names, in a function that only main calls.
  void name_fixtures(const Operation& operation) {
    for (const uint32_t fixture : operation.fixtures) {
      if (is_object(fixture)) text_.add(fixture_by_name(fixture), owner(operation));
    }
  }

  // Methods whose results are arguments get numbers, and their results types.
  void number_results() {
    std::set<uint32_t> wanted;
    for (const Operation& operation : table_.operations)
      wanted.insert(operation.needs.begin(), operation.needs.end());
    for (const uint32_t method : wanted) {
      const auto kind = static_cast<uint32_t>(kinds_.size());
      kinds_.emplace(method, kind);
    }
    // A result may be made with other results: those come first.
    std::set<uint32_t> typed;
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (const uint32_t method : wanted) {
        if (typed.contains(method)) continue;
        const Operation* example = example_of(method, typed);
        if (example == nullptr) continue;
        // Never called.
        text_.add(fmt::format("[[maybe_unused]] static auto heddle_gives_{}(heddle_driver_class& object, "
                              "heddle_driver_class& other, HeddleDriverThread* thread) {{",
                              kinds_.at(method)),
                  owner(*example));
        name_fixtures(*example);
        text_.add(fmt::format("  return {};\n}}", code_of(*example)), owner(*example));
        text_.add(fmt::format("using heddle_result_{0} = decltype(heddle_gives_{0}("
                              "std::declval<heddle_driver_class&>(), "
                              "std::declval<heddle_driver_class&>(), nullptr));",
                              kinds_.at(method)),
                  owner(*example));
        typed.insert(method);
        goes_on = true;
      }
    }
  }

  // A call of the method that takes only results whose types are known.
  const Operation* example_of(uint32_t method, const std::set<uint32_t>& typed) const {
    for (const Operation& operation : table_.operations) {
      if (operation.is_constructor || operation.callable != method) continue;
      if (std::all_of(operation.needs.begin(), operation.needs.end(),
                      [&](uint32_t needed) { return typed.contains(needed); }))
        return &operation;
    }
    return nullptr;
  }

  // With its $ as what the thread has saved.
  std::string code_of(const Operation& operation) const {
    const std::string& code = operation.code;
    std::string out;
    for (size_t i = 0; i < code.size(); ++i) {
      size_t end = i + 1;
      while (code[i] == '$' && end < code.size() && std::isdigit(static_cast<unsigned char>(code[end])) != 0)
        ++end;
      if (end == i + 1) {
        out += code[i];
        continue;
      }
      const auto kind = kinds_.find(static_cast<uint32_t>(std::stoul(code.substr(i + 1, end - i - 1))));
      out += kind == kinds_.end()
                 ? code.substr(i, end - i)
                 : fmt::format("heddle_driver::saved<heddle_result_{0}>(thread, {0})", kind->second);
      i = end - 1;
    }
    return out;
  }

  void write_constructor(const Operation& operation) {
    const auto id = static_cast<uint32_t>(operation.id);
    const size_t first = operation.code.find_first_not_of(' ');
    const bool is_factory = first != std::string::npos && operation.code[first] == '=';
    text_.add(fmt::format("static void heddle_construct_{}(HeddleDriverPlace* place, bool is_other) {{\n"
                          "  auto& slot = is_other ? heddle_other : heddle_object;",
                          id),
              owner(operation));
    name_fixtures(operation);
    if (is_factory) {
      text_.add(fmt::format("  heddle_driver::make_object<heddle_driver_class>(place, slot, [&]() -> "
                            "decltype(auto) {{ return {}; }});",
                            operation.code.substr(first + 1)),
                owner(operation));
    } else {
      text_.add(fmt::format("  ::new (static_cast<void*>(&slot)) heddle_driver_class{};\n"
                            "  heddle_driver::place_in_slot<heddle_driver_class>(place, slot);",
                            operation.code),
                owner(operation));
    }
    text_.add("}", owner(operation));
  }

  // Accesses belong to a call if heddle_call_N calls what makes them. It must not be that call itself, which
  // could contain the method's code; and it must be on the stack, so it may not end with it.
  void write_call(const Operation& operation) {
    const auto id = static_cast<uint32_t>(operation.id);
    const std::string code = code_of(operation);
    const auto kind = kinds_.find(operation.callable);
    std::string parameters;
    std::string arguments;
    for (const uint32_t fixture : operation.fixtures) {
      if (!is_object(fixture)) continue;
      parameters += fmt::format(", decltype(heddle_fixture_{}()) {}", fixture, table_.fixtures[fixture].name);
      arguments += fmt::format(", heddle_driver::fixture_of<decltype(heddle_fixture_{0}())>({0})", fixture);
    }
    text_.add(fmt::format(
                  "static __attribute__((noinline)) void heddle_driver_call_{}(heddle_driver_class& object, "
                  "heddle_driver_class& other, HeddleDriverThread* thread{}) {{",
                  id, parameters),
              owner(operation));
    if (kind != kinds_.end()) {
      text_.add(fmt::format("  if (heddle_driver_saves(thread, {0}))\n"
                            "    return heddle_driver::give(thread, heddle_driver::save(thread, {0}, new "
                            "heddle_driver::Owner<heddle_result_{0}>{{{1}}}));",
                            kind->second, code),
                owner(operation));
    }
    text_.add(
        fmt::format("  heddle_driver::give_result(thread, [&]() -> decltype(auto) {{ return {}; }});\n}}\n"
                    "extern \"C\" HEDDLE_DRIVER_UNSEEN void heddle_call_{}(HeddleDriverThread* thread) {{\n"
                    "  heddle_driver_call_{}(heddle_driver::object_of<heddle_driver_class>(thread), "
                    "heddle_driver::other_of<heddle_driver_class>(thread), thread{});\n"
                    "  asm volatile(\"\");\n}}",
                    code, id, id, arguments),
        owner(operation));
  }

  // What the operation refers to, and what that refers to.
  std::set<uint32_t> fixtures_of(const Operation& operation) const {
    std::set<uint32_t> used(operation.fixtures.begin(), operation.fixtures.end());
    for (auto index = static_cast<uint32_t>(table_.fixtures.size()); index-- > 0;) {
      if (!used.contains(index)) continue;
      for (uint32_t earlier = 0; earlier < index; ++earlier) {
        if (mentions(table_.fixtures[index].declaration, table_.fixtures[earlier].name)) used.insert(earlier);
      }
    }
    return used;
  }

  template <typename List>
  static std::string list(const List& values) {
    std::string text;
    for (const auto value : values) text += fmt::format("{}, ", value);
    return text + "-1";
  }

  void write_tables() {
    std::string rows;
    text_.add("\nnamespace {");
    for (const Operation& operation : table_.operations) {
      const auto id = static_cast<uint32_t>(operation.id);
      std::vector<uint32_t> needs;
      for (const uint32_t method : operation.needs) needs.push_back(kinds_.at(method));
      text_.add(fmt::format("const int heddle_needs_{}[] = {{{}}};", id, list(needs)));
      text_.add(fmt::format("const int heddle_uses_{}[] = {{{}}};", id, list(fixtures_of(operation))));
      const auto kind = kinds_.find(operation.callable);
      const bool gives = !operation.is_constructor && kind != kinds_.end();
      rows += fmt::format("    {{{}, {}, {}, {}, {}, heddle_needs_{}, heddle_uses_{}}},\n",
                          string_literal(operation.label),
                          operation.is_constructor ? "nullptr" : fmt::format("heddle_call_{}", id),
                          operation.is_constructor ? fmt::format("heddle_construct_{}", id) : "nullptr",
                          operation.takes_other || operation.receiver == "other",
                          gives ? static_cast<int>(kind->second) : -1, id, id);
    }
    text_.add("}  // namespace");
    std::string fixtures;
    for (uint32_t i = 0; i < table_.fixtures.size(); ++i) {
      fixtures += used_fixtures_.contains(i) && is_object(i) ? fmt::format("    {{heddle_make_{}}},\n", i)
                                                             : "    {nullptr},\n";
    }
    text_.add(
        "extern \"C\" {\nextern const HeddleDriverOperation heddle_driver_operations[] = {\n" + rows +
        "    {}};\n" +
        fmt::format("extern const unsigned heddle_driver_operation_count = {};\n", table_.operations.size()) +
        "extern const HeddleDriverFixture heddle_driver_fixtures[] = {\n" + fixtures + "    {}};\n" +
        fmt::format("extern const unsigned heddle_driver_fixture_count = {};\n}}", table_.fixtures.size()));
  }

  const ClassModel& model_;
  const OperationTable& table_;
  SourceText text_;
  std::set<uint32_t> used_fixtures_;
  std::set<std::string> definitions_;   // of fixtures, written
  std::map<uint32_t, uint32_t> kinds_;  // of results, by method
};

}  // namespace

DriverSource calls_source(const ClassModel& model, const OperationTable& table,
                          const std::vector<std::string>& headers) {
  return CallsWriter(model, table).write(headers);
}

}  // namespace heddle::generate
