#include "report/suppressible_story.h"

#include "trace/names.h"

namespace heddle {
namespace {

// As deep as ThreadSanitizer's stacks go.
constexpr size_t kMaxFrames = 256;

std::string module_path(const trace::Trace& trace, uint32_t module) {
  return module < trace.modules().size() ? std::string(trace.string(trace.modules()[module].path)) : "";
}

// What was inlined at a site is in the site's module; callers can be in another one.
void add_stack(const ReportContext& context, const Place& place, std::vector<SuppressibleFrame>& frames) {
  const trace::Trace& trace = context.trace();
  bool is_top = true;
  const auto add_site = [&](uint32_t site) {
    if (site >= trace.sites().size()) return;
    const std::string module = module_path(trace, trace.sites()[site].module);
    for (const StackFrame& frame : context.symbols.stack(site, 0)) {
      const Frame& names = frame.frame;
      frames.push_back(
          {names.signature.empty() ? names.function : names.signature, names.file, module, is_top});
      frames.push_back({names.function, "", "", is_top});
      is_top = false;
    }
  };
  const size_t most = frames.size() + 2 * kMaxFrames;
  add_site(place.site);
  for (uint32_t at = place.context; at != 0 && at < trace.contexts().size() && frames.size() < most;
       at = trace.contexts()[at].parent)
    add_site(trace.contexts()[at].call_site);
}

void add_variable(const ReportContext& context, const LocationRange& location,
                  std::vector<std::string>& names) {
  const std::string label = context.symbols.location_label(location.object, location.offset);
  names.push_back(label);
  if (location.object >= context.trace().objects().size()) return;
  const trace::ObjectRecord& object = context.trace().objects()[location.object];
  if (object.kind != trace::ObjectKind::kGlobal) return;
  // "slots+8" is a part of `slots`.
  if (const size_t end = label.find_last_not_of("0123456789"); end != label.npos && label[end] == '+')
    names.push_back(label.substr(0, end));
  names.push_back(module_path(context.trace(), object.owner));
}

}  // namespace

Suppressible suppressible(const ReportContext& context, const FailureStory& story, trace::OutcomeKind kind) {
  Suppressible what;
  what.kind = trace::to_text(kind);
  for (const Place& place : story.places) add_stack(context, place, what.frames);
  for (const LocationRange& location : story.locations) add_variable(context, location, what.variables);
  return what;
}

}  // namespace heddle
