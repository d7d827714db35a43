// Runs `function`; if it is left by unwinding, calls abandoned(argument) on the way.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((visibility("hidden"))) void heddle_call_guarded(void (*function)(void),
                                                               void (*abandoned)(void*), void* argument);
#ifdef __cplusplus
}
#endif
