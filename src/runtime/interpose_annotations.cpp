// Annotations for data-race detectors that libtsan exports. A scheduler has no use for them, but a program
// that was linked with libtsan must find them. Their arguments are ignored, so one signature does for all.
#include "runtime/runtime.h"

#define HEDDLE_ANNOTATION(name) \
  HEDDLE_EXPORT void name() {}
HEDDLE_ANNOTATION(AnnotateBenignRace)
HEDDLE_ANNOTATION(AnnotateBenignRaceSized)
HEDDLE_ANNOTATION(AnnotateCondVarSignal)
HEDDLE_ANNOTATION(AnnotateCondVarSignalAll)
HEDDLE_ANNOTATION(AnnotateCondVarWait)
HEDDLE_ANNOTATION(AnnotateEnableRaceDetection)
HEDDLE_ANNOTATION(AnnotateExpectRace)
HEDDLE_ANNOTATION(AnnotateFlushExpectedRaces)
HEDDLE_ANNOTATION(AnnotateFlushState)
HEDDLE_ANNOTATION(AnnotateHappensAfter)
HEDDLE_ANNOTATION(AnnotateHappensBefore)
HEDDLE_ANNOTATION(AnnotateIgnoreReadsBegin)
HEDDLE_ANNOTATION(AnnotateIgnoreReadsEnd)
HEDDLE_ANNOTATION(AnnotateIgnoreSyncBegin)
HEDDLE_ANNOTATION(AnnotateIgnoreSyncEnd)
HEDDLE_ANNOTATION(AnnotateIgnoreWritesBegin)
HEDDLE_ANNOTATION(AnnotateIgnoreWritesEnd)
HEDDLE_ANNOTATION(AnnotateMemoryIsInitialized)
HEDDLE_ANNOTATION(AnnotateMemoryIsUninitialized)
HEDDLE_ANNOTATION(AnnotateMutexIsNotPHB)
HEDDLE_ANNOTATION(AnnotateMutexIsUsedAsCondVar)
HEDDLE_ANNOTATION(AnnotateNewMemory)
HEDDLE_ANNOTATION(AnnotateNoOp)
HEDDLE_ANNOTATION(AnnotatePCQCreate)
HEDDLE_ANNOTATION(AnnotatePCQDestroy)
HEDDLE_ANNOTATION(AnnotatePCQGet)
HEDDLE_ANNOTATION(AnnotatePCQPut)
HEDDLE_ANNOTATION(AnnotatePublishMemoryRange)
HEDDLE_ANNOTATION(AnnotateRWLockAcquired)
HEDDLE_ANNOTATION(AnnotateRWLockCreate)
HEDDLE_ANNOTATION(AnnotateRWLockCreateStatic)
HEDDLE_ANNOTATION(AnnotateRWLockDestroy)
HEDDLE_ANNOTATION(AnnotateRWLockReleased)
HEDDLE_ANNOTATION(AnnotateThreadName)
HEDDLE_ANNOTATION(AnnotateTraceMemory)
HEDDLE_ANNOTATION(AnnotateUnpublishMemoryRange)
HEDDLE_ANNOTATION(WTFAnnotateBenignRaceSized)
HEDDLE_ANNOTATION(WTFAnnotateHappensAfter)
HEDDLE_ANNOTATION(WTFAnnotateHappensBefore)
#undef HEDDLE_ANNOTATION

HEDDLE_EXPORT int RunningOnValgrind() {
  return 0;
}
HEDDLE_EXPORT double ValgrindSlowdown() {
  return 1;
}
