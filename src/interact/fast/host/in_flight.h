// InFlight: the input that the host is executing, in memory that outlives it. If the host is lost, that is
// the input to run in processes, and to keep away from the next host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "execute/unique_fd.h"
#include "interact/concolic/program_input.h"

namespace heddle::fast {

class InFlight {
 public:
  // New memory, as an open file that another process can be given.
  static std::optional<InFlight> create();
  static std::optional<InFlight> open(UniqueFd file);
  InFlight(InFlight&& other) noexcept;
  InFlight& operator=(InFlight&&) = delete;
  ~InFlight();

  // Costs about as much as copying the input. One that is too large is not kept.
  void begin(const concolic::ProgramInput& input);
  void end();
  // Nothing was executed, or what was is not known.
  std::optional<concolic::ProgramInput> input() const;

  int descriptor() const { return file_.get(); }

 private:
  struct Record;
  InFlight(UniqueFd file, Record* record) : file_(std::move(file)), record_(record) {}

  UniqueFd file_;
  Record* record_;
};

}  // namespace heddle::fast
