// Reading standard input and the input file. The C library reads; here, the bytes get their expressions, by
// the position that they stand at. So code that reads the same stream in other ways reads the right bytes,
// too.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "interact/concolic/libc/own.h"
#include "interact/concolic/runtime/inputs.h"

size_t OWN(strlen)(const char* text);

// Is there a byte at `offset`? The branch depends on how long the input is.
static int has_byte(unsigned source, int file, unsigned long offset) {
  struct stat status;
  if (fstat(file, &status) != 0) return 0;
  return offset < heddle_concolic_input_size(source, (unsigned long)status.st_size);
}

int OWN(fgetc)(FILE* stream) {
  const int file = fileno(stream);
  const unsigned source = heddle_concolic_file_source(file);
  if (source == 0) return fgetc(stream);
  const long offset = ftell(stream);
  const int c = fgetc(stream);
  if (offset < 0 || !has_byte(source, file, (unsigned long)offset) || c == EOF) return c;
  unsigned char byte = (unsigned char)c;
  heddle_concolic_input_bytes(source, (unsigned long)offset, &byte, 1);
  return *(volatile unsigned char*)&byte;
}

int OWN(getc)(FILE* stream) {
  return OWN(fgetc)(stream);
}
int OWN(getchar)(void) {
  return OWN(fgetc)(stdin);
}
int OWN(fgetc_unlocked)(FILE* stream) {
  return OWN(fgetc)(stream);
}
int OWN(getc_unlocked)(FILE* stream) {
  return OWN(fgetc)(stream);
}
int OWN(getchar_unlocked)(void) {
  return OWN(fgetc)(stdin);
}

// Puts the byte back that was read; any other is concrete, since the position says what stands there.
int OWN(ungetc)(int c, FILE* stream) {
  return ungetc(c, stream);
}

char* OWN(fgets)(char* line, int size, FILE* stream) {
  if (heddle_concolic_file_source(fileno(stream)) == 0) {
    char* const result = fgets(line, size, stream);
    if (result != NULL) heddle_concolic_written(line, OWN(strlen)(line) + 1);
    return result;
  }
  int length = 0;
  while (length < size - 1) {
    const int c = OWN(fgetc)(stream);
    if (c == EOF) break;
    line[length++] = (char)c;
    if (c == '\n') break;
  }
  if (size <= 0 || (length == 0 && size > 1)) return NULL;
  line[length] = '\0';
  return line;
}

ssize_t OWN(getdelim)(char** line, size_t* capacity, int end, FILE* stream) {
  if (heddle_concolic_file_source(fileno(stream)) == 0) {
    const ssize_t length = getdelim(line, capacity, end, stream);
    if (length >= 0) heddle_concolic_written(*line, (unsigned long)length + 1);
    return length;
  }
  if (line == NULL || capacity == NULL) {
    errno = EINVAL;
    return -1;
  }
  if (*line == NULL) *capacity = 0;
  size_t length = 0;
  for (;;) {
    const int c = OWN(fgetc)(stream);
    if (c == EOF) break;
    if (length + 2 > *capacity) {
      const size_t more = *capacity < 60 ? 120 : *capacity * 2;
      char* const larger = malloc(more);
      if (larger == NULL) return -1;
      if (length > 0) __builtin_memcpy(larger, *line, length);
      free(*line);
      *line = larger;
      *capacity = more;
    }
    (*line)[length++] = (char)c;
    if (c == end) break;
  }
  if (length == 0) return -1;
  (*line)[length] = '\0';
  return (ssize_t)length;
}

ssize_t OWN(getline)(char** line, size_t* capacity, FILE* stream) {
  return OWN(getdelim)(line, capacity, '\n', stream);
}

// The amount that a call has read of all that there is.
static unsigned long amount(unsigned source, int file, long offset, size_t wanted, size_t unit, size_t read) {
  struct stat status;
  if (fstat(file, &status) != 0) return read;
  return heddle_concolic_amount(source, (unsigned long)status.st_size, (unsigned long)offset, wanted, unit,
                                read);
}

size_t OWN(fread)(void* memory, size_t size, size_t count, FILE* stream) {
  const int file = fileno(stream);
  const unsigned source = heddle_concolic_file_source(file);
  const long offset = source == 0 ? -1 : ftell(stream);
  const size_t items = fread(memory, size, count, stream);
  heddle_concolic_written(memory, items * size);
  if (offset < 0 || size == 0) return items;
  heddle_concolic_input_bytes(source, (unsigned long)offset, memory, items * size);
  return amount(source, file, offset, size * count, size, items);
}

size_t OWN(fread_unlocked)(void* memory, size_t size, size_t count, FILE* stream) {
  return OWN(fread)(memory, size, count, stream);
}

ssize_t OWN(pread)(int file, void* memory, size_t size, off_t offset) {
  const unsigned source = heddle_concolic_file_source(file);
  const ssize_t count = pread(file, memory, size, offset);
  if (count < 0) return count;
  heddle_concolic_written(memory, (unsigned long)count);
  if (source == 0 || offset < 0) return count;
  heddle_concolic_input_bytes(source, (unsigned long)offset, memory, (unsigned long)count);
  return (ssize_t)amount(source, file, offset, size, 1, (size_t)count);
}

ssize_t OWN(read)(int file, void* memory, size_t size) {
  const unsigned source = heddle_concolic_file_source(file);
  const off_t offset = source == 0 ? -1 : lseek(file, 0, SEEK_CUR);
  const ssize_t count = read(file, memory, size);
  if (count < 0) return count;
  heddle_concolic_written(memory, (unsigned long)count);
  if (source == 0 || offset < 0) return count;
  heddle_concolic_input_bytes(source, (unsigned long)offset, memory, (unsigned long)count);
  return (ssize_t)amount(source, file, offset, size, 1, (size_t)count);
}
