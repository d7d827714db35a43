/* A set of characters as the user wrote it: in order, and some of them perhaps more than once. */
#ifndef TRANSLATE_SETS_H
#define TRANSLATE_SETS_H

#include <stdbool.h>
#include <stddef.h>

enum { CHARACTERS = 256 };

struct set {
  unsigned char* codes;
  size_t length;
  size_t capacity;
};

/* Exits with a message if `text` is no set. */
void read_set(const char* text, struct set* set);

void free_set(struct set* set);

/* All characters that are not in it, in order. */
void complement_set(struct set* set);

/* Repeats the last character until there are `length`. It must not be empty. */
void extend_set(struct set* set, size_t length);

#endif
