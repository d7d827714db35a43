// A race in the words and the layout of ThreadSanitizer's reports, which editors and log viewers understand.
//
// What a trace does not have is left out or filled in: there are no addresses (a location is an object and an
// offset in it), and thread T3 is the fourth thread of the trace, whose stable name stands beside it.
#pragma once

#include <string>
#include <vector>

#include "report/report_context.h"

namespace heddle {

// What only the process itself knows.
struct TsanProcess {
  std::string pid = "0";
  uint64_t address = 0;  // of the second access; 0: not known
};

std::vector<std::string> tsan_report(ReportContext& context, const trace::RaceRecord& race,
                                     const TsanProcess& process = {});

// The frames of a place, one line each: "    #0 Stock::add stock.cpp:12:9 (stock+0x1234)".
std::vector<std::string> tsan_stack(const ReportContext& context, uint32_t site, uint32_t call_context);

}  // namespace heddle
