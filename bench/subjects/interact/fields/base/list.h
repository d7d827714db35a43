// Lists of positions, which count from 1: "2", "4-6", "-3", "7-", separated by commas or blanks.
//
// After finish_list() the ranges are in order, and no two of them overlap or touch.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The last position of a range that goes on to the end of the line.
#define OPEN_END UINT32_MAX

struct range {
  uint32_t first;
  uint32_t last;
};

struct list {
  struct range* ranges;
  size_t count;
  size_t capacity;
};

// Adds what `text` says; ends the program if it is no list.
void parse_list(struct list* list, const char* text);

void finish_list(struct list* list);

// Of a finished list: all that it leaves out.
void complement_list(struct list* list);

// The range of a finished list that has the position, from `*hint` on, where the last answer was; NULL if
// there is none. Ask for positions in ascending order.
const struct range* find_range(const struct list* list, uint32_t position, size_t* hint);

void release_list(struct list* list);
