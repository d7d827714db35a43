#include "generate/driver_build.h"

#include <utility>

#include "generate/implementation_reader.h"
#include "generate/operation_maker.h"
#include "generate/read_class.h"

namespace heddle::generate {

Expected<Driver> build_driver(const std::string& class_name, const ClassSources& sources,
                              const DriverOptions& options) {
  if (options.step) options.step("reading " + class_name);
  const std::filesystem::path reader = options.compilers / "heddle-class-reader";
  Expected<ClassModel> model = read_class(class_name, sources, reader);
  if (!model) return tl::unexpected(model.error());
  model->implementation = find_implementation(*model, sources, reader);
  MadeOperations made = make_operations(*model, options.pools, options.most_operations);
  for (Unusable& unusable : made.unusable) model->unusable.push_back(std::move(unusable));
  return compile_driver(std::move(*model), std::move(made.table), sources, options);
}

}  // namespace heddle::generate
