// PreparedSubject: a subject with its driver.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "class_subject.h"
#include "generate/driver_build.h"
#include "generate/driver_session.h"
#include "support/error.h"
#include "symbolize/symbolizer.h"

namespace heddle::bench {

struct PreparedSubject {
  ClassSubject subject;
  std::filesystem::path folder;  // for all that is made of it
  generate::Driver driver;
  double driver_cpu_seconds = 0;
};

struct PrepareOptions {
  std::filesystem::path work;
  std::filesystem::path compilers;  // folder with heddle-c++
  bool keeps_drivers = false;       // a driver that is there is used again: its time means nothing then
};

Expected<PreparedSubject> prepare(const ClassSubject& subject, const PrepareOptions& options);

// The symbolizer must outlive it.
Expected<std::unique_ptr<generate::DriverSession>> open_session(const PreparedSubject& prepared,
                                                                Symbolizer& symbolizer);

}  // namespace heddle::bench
