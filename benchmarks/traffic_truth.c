/* Exact LRU caches of 64-byte lines, fully associative, write-allocate, fed by the loads and stores
   that clang's -fsanitize-coverage=trace-loads,trace-stores reports between polybench_timer_start
   and polybench_timer_stop. LOOPLAW_CAPACITIES: sizes in bytes, separated by commas. Prints the
   lines that miss each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS (1u << 22)
#define CACHES 8

struct cache {
  uint32_t lines, used, head, tail, *next, *prev;
  uint64_t *tag, misses;
  uint32_t *table;
};
static struct cache caches[CACHES];
static int number, on;
static uint64_t last_line = ~0ull;

static uint32_t hashed(uint64_t line) { return (uint32_t)((line * 0x9E3779B97F4A7C15ull) >> 42); }

static void make(struct cache *c, uint64_t bytes) {
  c->lines = (uint32_t)(bytes / 64);
  c->next = malloc(4 * (c->lines + 1));
  c->prev = malloc(4 * (c->lines + 1));
  c->tag = malloc(8 * (c->lines + 1));
  c->table = calloc(SLOTS, 4);
}

static void erase(struct cache *c, uint64_t line) {
  uint32_t at = hashed(line);
  while (c->tag[c->table[at]] != line || !c->table[at]) at = (at + 1) & (SLOTS - 1);
  for (uint32_t to = at;;) {
    to = (to + 1) & (SLOTS - 1);
    if (!c->table[to]) break;
    uint32_t home = hashed(c->tag[c->table[to]]);
    if (((to - home) & (SLOTS - 1)) >= ((to - at) & (SLOTS - 1))) {
      c->table[at] = c->table[to];
      at = to;
    }
  }
  c->table[at] = 0;
}

static void touch(struct cache *c, uint64_t line) {
  uint32_t at = hashed(line), e;
  while ((e = c->table[at]) && c->tag[e] != line) at = (at + 1) & (SLOTS - 1);
  if (e) {
    if (c->head == e) return;
    c->next[c->prev[e]] = c->next[e];
    if (c->tail == e) c->tail = c->prev[e]; else c->prev[c->next[e]] = c->prev[e];
  } else {
    c->misses++;
    if (c->used < c->lines) e = ++c->used;
    else {
      e = c->tail;
      c->tail = c->prev[e];
      erase(c, c->tag[e]);
      at = hashed(line);
      while (c->table[at]) at = (at + 1) & (SLOTS - 1);
    }
    c->tag[e] = line;
    c->table[at] = e;
    if (!c->tail) c->tail = e;
  }
  if (c->head) c->prev[c->head] = e;
  c->next[e] = c->head;
  c->head = e;
}

static void access_line(uint64_t line) {
  if (line == last_line) return;
  last_line = line;
  for (int k = 0; k < number; k++) touch(&caches[k], line);
}
static void access_bytes(const void *p, unsigned size) {
  if (!on) return;
  uint64_t a = (uint64_t)p;
  access_line(a >> 6);
  if ((a + size - 1) >> 6 != a >> 6) access_line((a + size - 1) >> 6);
}
#define BOTH(n)                                                           \
  void __sanitizer_cov_load##n(void *p) { access_bytes(p, n); }           \
  void __sanitizer_cov_store##n(void *p) { access_bytes(p, n); }
BOTH(1) BOTH(2) BOTH(4) BOTH(8) BOTH(16)

void polybench_timer_start(void) {
  const char *text = getenv("LOOPLAW_CAPACITIES");
  char *copy = strdup(text ? text : "32768");
  for (char *w = strtok(copy, ","); w && number < CACHES; w = strtok(NULL, ","))
    make(&caches[number++], strtoull(w, NULL, 10));
  on = 1;
}
void polybench_timer_stop(void) { on = 0; }
void polybench_timer_print(void) {
  for (int k = 0; k < number; k++)
    printf("%llu\n", (unsigned long long)caches[k].misses);
}
void polybench_prepare_instruments(void) {}
void *polybench_alloc_data(unsigned long long n, int size) {
  return aligned_alloc(4096, (n * (unsigned)size + 4095) / 4096 * 4096);
}
void polybench_free_data(void *p) { free(p); }
void __sanitizer_cov_trace_pc(void) {}
