// How the tool tells a driver what to call, and how the driver answers: a file that both have mapped.
//
// A driver is a program made for one class (driver_source.h). Each execution of it reads a plan, carries it
// out and writes down what each call gave. The answer is written as the calls end, so it is there also if the
// program crashes or can never end. The driver's side is compiled into the driver, so this header depends on
// nothing.
#pragma once

#include <cstdint>

namespace heddle::generate {

inline constexpr char kPlanVariable[] = "HEDDLE_DRIVER_PLAN";  // environment: the file's name
inline constexpr uint32_t kMaxThreads = 3;
inline constexpr uint32_t kMaxCalls = 96;  // of one plan, in all its parts
inline constexpr uint32_t kMaxText = 1 << 16;

// The parts of a plan. Calls before the threads begin and after they have ended are made by main.
struct PlanRecord {
  uint32_t constructor;
  uint32_t before;
  uint32_t threads;  // 0: no thread is made
  uint32_t of_thread[kMaxThreads];
  uint32_t after;
  uint32_t wants_state;            // 1: write the abstract state of the object after all of it
  uint32_t operations[kMaxCalls];  // before, then thread by thread, then after
  uint8_t made_for[kMaxCalls];     // of those before: the thread that makes it while all others wait; 0: main
};

struct CallRecord {
  uint32_t begun;  // what number this beginning or end of a call has among all of them, from 1; 0: not yet
  uint32_t ended;
  uint32_t threw;  // 1: an exception has left it
  uint32_t text;   // its result, or what was thrown: where in `texts`
  uint32_t length;
};

struct AnswerRecord {
  uint32_t constructed;  // 1 once the object is there
  uint32_t finished;     // 1 once the plan has been carried out
  uint32_t numbers;      // beginnings and ends so far
  uint32_t texts_used;
  CallRecord state;        // the abstract state
  CallRecord other_state;  // of the second object, if there is one
  CallRecord calls[kMaxCalls];
  char texts[kMaxText];
};

struct PlanFile {
  PlanRecord plan;
  AnswerRecord answer;
};

}  // namespace heddle::generate
