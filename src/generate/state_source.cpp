#include "generate/state_source.h"

#include <utility>

#include <fmt/format.h>

namespace heddle::generate {
namespace {

class StateWriter {
 public:
  StateWriter(const ClassModel& model, const std::set<std::string>& left_out)
      : implementation_(model.implementation.source), left_out_(left_out) {
    classes_.emplace_back(model.name, &model.fields);
    for (const auto& [name, fields] : implementation_.empty() ? model.inner : model.implementation.inner) {
      if (!left_out.contains(name)) classes_.emplace_back(name, &fields);
    }
  }

  DriverSource write(const std::vector<std::string>& headers) {
    for (const std::string& header : headers) text_.add(include_line(header));
    if (!implementation_.empty()) text_.add(include_line(implementation_));
    text_.add("#include \"driver_state.h\"\n");
    // All of them are known before the first is read, and named where no name of ours hides theirs.
    for (size_t i = 0; i < classes_.size(); ++i) declare(i);
    for (size_t i = 0; i < classes_.size(); ++i) define(i);
    text_.add(
        "extern \"C\" void heddle_driver_read_state(const void* memory) {\n"
        "  heddle_driver::State state(sizeof(heddle_state_class_0));\n"
        "  try {\n"
        "    state.read(*static_cast<const heddle_state_class_0*>(memory));\n"
        "  } catch (...) {\n"
        "    // What has been read is all there is to tell.\n"
        "  }\n"
        "  state.give();\n"
        "}");
    DriverSource source = text_.take();
    source.fields = std::move(fields_);
    return source;
  }

 private:
  LineOwner owner_of(const std::string& field) {
    fields_.push_back(field);
    return {LineOwner::Kind::kField, static_cast<uint32_t>(fields_.size() - 1)};
  }

  void declare(size_t index) {
    const LineOwner owner = index == 0 ? LineOwner{} : owner_of(classes_[index].first);
    text_.add(fmt::format("using heddle_state_class_{0} = {1};\n"
                          "static void heddle_add_fields_{0}(heddle_driver::State& state, "
                          "const heddle_state_class_{0}& object);\n"
                          "template <>\n"
                          "struct heddle_driver::FieldsOf<heddle_state_class_{0}> : std::true_type {{\n"
                          "  static void add(State& state, const heddle_state_class_{0}& object) "
                          "{{ heddle_add_fields_{0}(state, object); }}\n"
                          "}};",
                          index, classes_[index].first),
              owner);
  }

  void define(size_t index) {
    const auto& [name, fields] = classes_[index];
    text_.add(
        fmt::format("\nstatic void heddle_add_fields_{0}(heddle_driver::State& state, "
                    "const heddle_state_class_{0}& object) {{",
                    index));
    for (const Field& field : *fields) {
      const std::string& declared_by = field.owner.empty() ? name : field.owner;
      const std::string full_name = declared_by + "::" + field.name;
      if (field.name.empty() || left_out_.contains(full_name)) continue;
      // A cast of this kind also reaches the bases that nobody else may see as such.
      const std::string part =
          declared_by == name ? "object" : fmt::format("((const {}&)object)", declared_by);
      text_.add(fmt::format("  state.{}({}, {}.{});", field.type.ends_with('&') ? "add_referred" : "add",
                            string_literal(field.name), part, field.name),
                owner_of(full_name));
    }
    text_.add("}");
  }

  const std::string& implementation_;
  const std::set<std::string>& left_out_;
  std::vector<std::pair<std::string, const std::vector<Field>*>> classes_;  // the class under test first
  std::vector<std::string> fields_;
  SourceText text_;
};

}  // namespace

DriverSource state_source(const ClassModel& model, const std::vector<std::string>& headers,
                          const std::set<std::string>& left_out) {
  return StateWriter(model, left_out).write(headers);
}

}  // namespace heddle::generate
