// Messages to the user. All of them go to standard error and begin with the program's name.
#pragma once

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

void set_program_name(const char* name);

// Writes the message and ends the program with STATUS_FAILED.
_Noreturn void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The same with STATUS_USAGE and a hint at --help.
_Noreturn void fail_usage(const char* format, ...) __attribute__((format(printf, 1, 2)));
