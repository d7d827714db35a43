#include "report/suppressible_story.h"

#include "trace/names.h"

namespace heddle {

Suppressible suppressible(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind) {
  Suppressible what;
  what.kind = trace::to_text(kind);
  const trace::Trace& trace = context.trace();
  for (const Place& place : story.places) {
    std::string module;
    if (place.site < trace.sites().size() && trace.sites()[place.site].module < trace.modules().size())
      module = trace.string(trace.modules()[trace.sites()[place.site].module].path);
    bool is_top = true;
    for (const StackFrame& frame : context.symbols.stack(place.site, place.context)) {
      what.frames.push_back({frame.frame.signature.empty() ? frame.frame.function : frame.frame.signature,
                             frame.frame.file, module, is_top});
      what.frames.push_back({frame.frame.function, "", "", is_top});
      is_top = false;
    }
  }
  for (const LocationRange& location : story.locations)
    what.variables.push_back(context.symbols.location_label(location.object, location.offset));
  return what;
}

}  // namespace heddle
