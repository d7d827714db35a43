#include "table.h"

#include <stdlib.h>

/* As many characters in one as in the other. */
static void fit_sets(const struct options* options, struct set* set1, struct set* set2) {
  if (set1->length <= set2->length) return;
  if (options->truncate) {
    set1->length = set2->length;
    return;
  }
  if (set2->length == 0) {
    fputs("translate: the second set is empty\n", stderr);
    exit(EXIT_USAGE);
  }
  extend_set(set2, set1->length);
}

static void translate(struct table* table, const struct set* set1, const struct set* set2) {
  for (size_t i = 0; i < set1->length; i++) {
    table->result[set1->codes[i]] = set2->codes[i];
  }
}

static void mark(bool* marks, const struct set* set) {
  for (size_t i = 0; i < set->length; i++) {
    marks[set->codes[i]] = true;
  }
}

void make_table(const struct options* options, struct table* table) {
  *table = (struct table){0};
  for (int code = 0; code < CHARACTERS; code++) {
    table->result[code] = (unsigned char)code;
  }

  struct set set1 = {0};
  struct set set2 = {0};
  read_set(options->set1, &set1);
  if (options->complement) complement_set(&set1);
  if (options->set2 != NULL) read_set(options->set2, &set2);

  if (options->delete) {
    mark(table->is_deleted, &set1);
  } else if (options->set2 != NULL) {
    fit_sets(options, &set1, &set2);
    translate(table, &set1, &set2);
  }
  if (options->squeeze) mark(table->is_squeezed, options->set2 != NULL ? &set2 : &set1);
  free_set(&set1);
  free_set(&set2);
}

void apply_table(const struct table* table, FILE* in, FILE* out, struct counts* counts) {
  int last = EOF;
  int c;
  while ((c = getc(in)) != EOF) {
    counts->read++;
    if (table->is_deleted[c]) {
      counts->deleted++;
      continue;
    }
    const int result = table->result[c];
    if (result == last && table->is_squeezed[result]) {
      counts->squeezed++;
      continue;
    }
    if (result != c) counts->changed++;
    putc(result, out);
    last = result;
  }
}
