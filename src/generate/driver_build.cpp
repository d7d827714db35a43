#include "generate/driver_build.h"

#include <utility>

#include "generate/operation_maker.h"
#include "generate/read_class.h"

namespace heddle::generate {

Expected<Driver> build_driver(const std::string& class_name, const ClassSources& sources,
                              const DriverOptions& options) {
  if (options.step) options.step("reading " + class_name);
  Expected<ClassModel> model = read_class(class_name, sources, options.compilers / "heddle-class-reader");
  if (!model) return tl::unexpected(model.error());
  MadeOperations made = make_operations(*model, options.pools, options.most_operations);
  for (Unusable& unusable : made.unusable) model->unusable.push_back(std::move(unusable));
  return compile_driver(std::move(*model), std::move(made.table), sources, options);
}

}  // namespace heddle::generate
