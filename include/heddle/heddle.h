/* heddle inside a program: annotations, and exploring the schedules of a function in one process. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <heddle/heddle_c.h>
#ifdef __cplusplus
#include <heddle/explore.h>
#endif

#endif /* HEDDLE_HEDDLE_H */
