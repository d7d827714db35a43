#include "generate/driver_build.h"

#include <utility>

#include <fmt/format.h>

#include "generate/implementation_reader.h"
#include "generate/operation_maker.h"
#include "generate/read_class.h"

namespace heddle::generate {
namespace {

// Says why there is nothing to be done with a class, and what would help.
Expected<void> check_operations(const ClassModel& model, const OperationTable& table) {
  const bool has_constructor = table.constructors > 0;
  if (has_constructor && table.operations.size() > table.constructors) return {};
  std::string text =
      fmt::format("{}: {}", model.spelled,
                  has_constructor ? "there is no method that can be called" : "no object of it can be made");
  for (const Unusable& unusable : model.unusable) {
    text += fmt::format("\n  {}: {}", unusable.signature, unusable.reason);
    if (!unusable.help.empty()) text += fmt::format(" ({})", unusable.help);
  }
  return usage_error(text);
}

}  // namespace

Expected<Driver> build_driver(const std::string& class_name, const ClassSources& sources,
                              const DriverOptions& options) {
  if (options.step) options.step("reading " + class_name);
  const std::filesystem::path reader = options.compilers / "heddle-class-reader";
  Expected<ClassModel> model = read_class(class_name, sources, reader);
  if (!model) return tl::unexpected(model.error());
  model->implementation = find_implementation(*model, sources, reader);
  MadeOperations made = make_operations(*model, options.pools, options.most_operations);
  for (Unusable& unusable : made.unusable) model->unusable.push_back(std::move(unusable));
  if (const Expected<void> possible = check_operations(*model, made.table); !possible)
    return tl::unexpected(possible.error());
  return compile_driver(std::move(*model), std::move(made.table), sources, options);
}

}  // namespace heddle::generate
