// Differential: an input's behaviour on base, head and golden versions.
//
// A difference is believed when it has been seen again in fresh processes: each version is run several times
// more, with other contents of uninitialised memory, another folder, process number and time, and an aspect
// in which a version differs from itself then says nothing about the versions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interact/concolic/program_input.h"
#include "interact/trial/behaviour.h"
#include "interact/trial/program_runner.h"
#include "support/error.h"

namespace heddle::interact {

// The program in one version, in both forms.
struct VersionPrograms {
  std::string name;  // of the revision
  std::filesystem::path plain;
  std::filesystem::path guarded;  // empty: there is none
};

struct Differing {
  concolic::ProgramInput input;
  Behaviour base;
  Behaviour head;
  std::vector<Behaviour> golden;  // in the order of DifferentialOptions::golden
  std::vector<Aspect> aspects;    // of base against head; once confirmed, without unstable ones
  std::vector<Aspect> unstable;   // in which a version differs from itself
};

enum class Difference {
  kSame,
  kUnstable,  // the program differs from itself, in all in which base and head differ
  kDiffers,
  kError,  // the head crashes, or a sanitizer speaks, and the base's does not
};

// With golden versions (ALGORITHMS, section 7): against S the golden version, P the base, P' the head.
enum class Judgement {
  kDifference,     // nothing to judge it by
  kError,          // nothing to judge it by, but it crashes or a sanitizer speaks
  kRegression,     // P = S, P' not
  kProgression,    // P' = S, P not
  kIncompleteFix,  // none of them is S
};

struct DifferentialOptions {
  VersionPrograms base;
  VersionPrograms head;
  std::vector<VersionPrograms> golden;
  std::filesystem::path folder;  // to run in
  RunLimits limits;              // without a name, all versions are called as the base's file is
  IgnoredLines ignored;
};

class Differential {
 public:
  static Expected<Differential> create(DifferentialOptions options);
  Differential(Differential&&) noexcept;
  Differential& operator=(Differential&&) noexcept;
  ~Differential();

  // One run of base and head each; nothing is believed yet.
  Expected<Differing> try_input(const concolic::ProgramInput& input);
  // One run of each golden version: what judge() says then is as little believed.
  Expected<void> ask_golden(Differing* differing);
  // Fills in the rest: runs again, the guarded forms, the golden versions. A report that only a guarded form
  // gives is entered into the behaviour of its version.
  Expected<Difference> confirm(Differing* differing);

  // Of a confirmed one, by each golden version; one kDifference or kError without.
  std::vector<Judgement> judge(const Differing& differing) const;

  // The input as small as it gets while `still` holds: fewer and shorter arguments, smaller numbers, less
  // standard input and file. `still` is asked at most `most` times, never twice the same.
  static concolic::ProgramInput minimise(const concolic::ProgramInput& input,
                                         const std::function<bool(const concolic::ProgramInput&)>& still,
                                         size_t most);

  uint64_t executions() const;
  // As of ProgramRunner.
  const std::string& confinement() const;

 private:
  struct State;
  explicit Differential(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace heddle::interact
