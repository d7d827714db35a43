// Dependence: whether the order of two operations of different threads can matter.
//
// Two steps that are not dependent commute: executing them in the other order leads to the same state. This
// relation is all that partial-order reduction knows of a program, so it must never miss a pair; each pair too
// many costs executions.
#pragma once

#include "explore/observation.h"

namespace heddle {

bool dependent(const Operation& a, const Operation& b);
// Steps of one thread are always dependent.
bool dependent(const ObservedStep& a, const ObservedStep& b);

// Whether `b`, executed after `a` of another thread and dependent on it, could have been executed in its place:
// not if `a` is what made it possible (an unlock before a lock, a fork before the child's first step).
bool may_be_coenabled(const Operation& a, const Operation& b);

}  // namespace heddle
