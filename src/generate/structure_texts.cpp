#include "generate/structure_texts.h"

#include <fmt/format.h>

#include "generate/type_names.h"

namespace heddle::generate {
namespace {

class StructureSearch {
 public:
  explicit StructureSearch(const ClassModel& model) : model_(model) {}

  void visit(const std::string& type) {
    const auto known = model_.types.find(take_apart(type).value);
    if (known == model_.types.end() || !visited_.insert(known->first).second) return;
    for (const std::string& element : known->second.elements) visit(element);
    for (const Parameter& field : known->second.fields) visit(field.type);
    if (!known->second.fields.empty()) add(known->second);
  }

  std::vector<StructureText> take() { return std::move(found_); }

 private:
  void add(const TypeModel& structure) {
    std::string fields;
    for (const Parameter& field : structure.fields) {
      if (field.name.empty()) continue;
      fields += fmt::format("{0}\"{1}\", value.{1}", fields.empty() ? "" : ", ", field.name);
    }
    found_.push_back({structure.name, fmt::format("template <>\n"
                                                  "struct heddle::TextOf<{0}> {{\n"
                                                  "  static std::string text(const {0}& value) {{\n"
                                                  "    return heddle::text_of_fields({1});\n"
                                                  "  }}\n"
                                                  "}};",
                                                  structure.name, fields)});
  }

  const ClassModel& model_;
  std::set<std::string> visited_;
  std::vector<StructureText> found_;
};

}  // namespace

std::vector<StructureText> structure_texts(const ClassModel& model, const std::set<uint32_t>& methods) {
  StructureSearch search(model);
  for (const uint32_t method : methods) {
    search.visit(model.methods[method].result);
    // What a method writes into its arguments is a result as well.
    for (const Parameter& parameter : model.methods[method].parameters) {
      if (take_apart(parameter.type).is_changed()) search.visit(parameter.type);
    }
  }
  return search.take();
}

}  // namespace heddle::generate
