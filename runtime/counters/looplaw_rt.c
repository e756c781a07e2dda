/* The runtime that instrumented programs are linked with: it keeps their counts in a memory-mapped
 * file that readers follow while the program runs.
 *
 * It is one translation unit, so that everything but its entry points is static and inlined:
 *
 *   rt_file.h     the file: header, blocks, growth
 *   rt_threads.h  counters of threads, and what becomes of them at exit, fork and thread end
 *   rt_times.h    the sequence lock, and times of sampled calls
 *   rt_calls.h    tables of a kernel's calls by the values that influence them
 *   rt_entries.h  entries of loops, for `looplaw verify`
 *
 * Rules that hold in all of them. Nothing here calls malloc or stdio: the program's own may be what
 * is counted. Words are aligned and written whole. A block has one writer. The program never waits
 * for a reader. Where counts cannot be kept (disk full, no permission), the program runs on and the
 * header says so. reader.py reads the file; word_layout.py says what the words mean. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "rt_file.h"
#include "rt_threads.h"
#include "rt_times.h"
#include "rt_calls.h"
#include "rt_entries.h"
