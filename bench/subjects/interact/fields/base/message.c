#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char* program_name = "fields";

void set_program_name(const char* name) {
  if (name != NULL && name[0] != '\0') program_name = name;
}

static void write_message(const char* format, va_list values) {
  fflush(stdout);
  fprintf(stderr, "%s: ", program_name);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
}

void fail(const char* format, ...) {
  va_list values;
  va_start(values, format);
  write_message(format, values);
  va_end(values);
  exit(STATUS_FAILED);
}

void fail_usage(const char* format, ...) {
  va_list values;
  va_start(values, format);
  write_message(format, values);
  va_end(values);
  fprintf(stderr, "%s: --help shows the options\n", program_name);
  exit(STATUS_USAGE);
}
