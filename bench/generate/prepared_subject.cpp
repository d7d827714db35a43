#include "prepared_subject.h"

#include <cstdlib>
#include <utility>

#include "common/process.h"

namespace heddle::bench {

namespace fs = std::filesystem;

Expected<PreparedSubject> prepare(const ClassSubject& subject, const PrepareOptions& options) {
  PreparedSubject prepared{.subject = subject, .folder = options.work / subject.name, .driver = {}};
  const fs::path folder = prepared.folder / "driver";
  std::error_code ignored;
  if (!options.keeps_drivers) {
    fs::remove_all(folder, ignored);
    setenv("CCACHE_DISABLE", "1", /*overwrite=*/1);
  }
  fs::create_directories(folder, ignored);
  const double before = cpu_seconds_so_far();
  Expected<generate::Driver> driver =
      generate::build_driver(subject.class_name, subject.sources,
                             {.folder = folder, .compilers = options.compilers, .pools = {}, .step = {}});
  if (!driver) return tl::unexpected(driver.error());
  prepared.driver = std::move(*driver);
  prepared.driver_cpu_seconds = cpu_seconds_so_far() - before;
  return prepared;
}

Expected<std::unique_ptr<generate::DriverSession>> open_session(const PreparedSubject& prepared,
                                                                Symbolizer& symbolizer) {
  return generate::DriverSession::start(
      {.program = prepared.driver.program, .plan_file = prepared.folder / "plan"}, symbolizer);
}

}  // namespace heddle::bench
