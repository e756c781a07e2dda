/* What the kernel has of the C library: memory, by names that every system has, and functions of
 * numbers that compilers know. No header of a system is read, so that any clang makes the same. */
#pragma once

typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT8_TYPE__ int8_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)
#define INT64_MAX 0x7fffffffffffffff
#define INFINITY __builtin_inf()

/* What a function returns where memory is short; 0 or more otherwise. */
enum { SHORT = -1 };

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *room);

#define memcpy __builtin_memcpy
#define memset __builtin_memset
#define memcmp __builtin_memcmp
#define fabs __builtin_fabs
#define sqrt __builtin_sqrt
#define isnan(x) ((x) != (x))
#define isfinite(x) (fabs(x) < INFINITY)
