// Runs a kernel on the processor: a fibre for each thread of a block, blocks one after another.
//
// A fibre runs until it waits for its warp, for its block, or ends. Lanes that wait for their warp go
// on when no other lane of the warp runs, threads that wait for their block when no thread of the
// block runs. What each thread counts is kept for its warp and added up when its block ends.
//
// Input: lines of numbers, see run.py. Output: a line for each loop and each access.
#define _GNU_SOURCE
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK = 1 << 17, MOST_RECORDS = 1 << 25, DYNAMIC_SHARED = 1 << 17, BANKS = 32, DEEPEST = 8, MOST_LANES = 1024 };
enum state { RUNS, AT_WARP, AT_BLOCK, ENDED };

// from the module of the kernel
extern const int32_t looplaw_loops, looplaw_accesses, looplaw_shared_variables;
extern const int32_t looplaw_nests[][DEEPEST]; // loops around each access; -1: no more, -2: any
extern char *const looplaw_shared_starts[];
extern const int64_t looplaw_shared_sizes[];
void looplaw_call(void **arguments);

struct fibre {
  ucontext_t context;
  enum state state;
  uint64_t value, result;
  int how, offset, width, tid[3];
  int64_t *count, *seen, *iteration; // iteration: of the entry of a loop that runs
};
struct record {
  int32_t access, warp;
  int64_t occurrence;
  uint64_t address;
  int32_t size, is_shared, lane;
};
struct totals {
  int64_t executions, groups, full, sectors, sectors_low, sectors_high, lines_low, lines_high,
      ways_low, ways_high;
};

static struct fibre *fibres, *current;
static ucontext_t scheduler;
static char *stacks;
static int grid[3], block[3], ctaid[3], threads, lanes;
static struct record *records;
static int64_t used, *private; // of each access: how often it was to a thread's own memory
static void **arguments;
static FILE *out;
static char dynamic_shared[DYNAMIC_SHARED] __attribute__((aligned(256)));

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

int64_t looplaw_index(int32_t what, int32_t axis) {
  if (axis < 0 || axis > 2) return what == 2 || what == 3 || what == 5;
  switch (what) {
  case 0: return current->tid[axis];
  case 1: return ctaid[axis];
  case 2: return block[axis];
  case 3: return grid[axis];
  case 4: return (int64_t)ctaid[axis] * block[axis] + current->tid[axis];
  case 5: return (int64_t)grid[axis] * block[axis];
  default: return 0;
  }
}
static int linear(const struct fibre *f) {
  return f->tid[0] + block[0] * (f->tid[1] + block[1] * f->tid[2]);
}
int64_t looplaw_linear(int32_t is_global) {
  if (!is_global) return linear(current);
  int64_t x = looplaw_index(4, 0), y = looplaw_index(4, 1), z = looplaw_index(4, 2);
  return x + looplaw_index(5, 0) * (y + looplaw_index(5, 1) * z);
}
int64_t looplaw_lane(void) { return linear(current) % lanes; }
int64_t looplaw_warp_size(void) { return lanes; }

static void wait_for(enum state what) {
  struct fibre *self = current;
  self->state = what;
  swapcontext(&self->context, &scheduler);
}
void looplaw_barrier(void) { wait_for(AT_BLOCK); }
void looplaw_warp_barrier(uint32_t mask) {
  current->how = -1;
  wait_for(AT_WARP);
}
void looplaw_fence(void) {}
// textures hold zeros, as arrays do; what is drawn at random is the same in each run
const void *looplaw_texel(int32_t at) {
  static char texel[64];
  (void)at;
  return texel;
}
uint32_t looplaw_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}
// how: 0 to 3 as in gpu_runtime.h (index, up, down, xor); 8 and above: votes
uint64_t looplaw_shuffle(int32_t how, uint64_t value, int32_t offset, int32_t width) {
  current->how = how;
  current->value = value;
  current->offset = offset;
  current->width = width > 0 && width <= lanes ? width : lanes;
  wait_for(AT_WARP);
  return current->result;
}
int32_t looplaw_vote(int32_t what, int32_t value) {
  return (int32_t)looplaw_shuffle(8 + what, (uint64_t)(value != 0), 0, 0);
}
float looplaw_atomic_add_float(float *p, float v) {
  float old = *p;
  *p = old + v;
  return old;
}
double looplaw_atomic_add_double(double *p, double v) {
  double old = *p;
  *p = old + v;
  return old;
}
float rsqrtf(float x) { return 1 / sqrtf(x); }
double rsqrt(double x) { return 1 / sqrt(x); }

void looplaw_count(int32_t loop, int64_t by) {
  current->count[loop] += by;
  current->iteration[loop] += by;
}
void looplaw_enter(int32_t loop) { current->iteration[loop] = 0; }

// lanes make an access together in the same iteration of all loops around it
static int64_t occasion(int32_t access) {
  const int32_t *nest = looplaw_nests[access];
  uint64_t found = 1469598103934665603u;
  if (nest[0] == -2) return current->seen[access]++;
  for (int i = 0; i < DEEPEST && nest[i] >= 0; i++)
    found = (found ^ (uint64_t)current->iteration[nest[i]]) * 1099511628211u;
  return (int64_t)found;
}

void looplaw_access(int32_t access, uint64_t address, int32_t size) {
  char *own = stacks + (size_t)(current - fibres) * STACK;
  if (address >= (uint64_t)own && address < (uint64_t)own + STACK) {
    private[access]++;
    return;
  }
  if (used == MOST_RECORDS) fail("the launch has too many accesses to keep them");
  uint64_t base = 0;
  int is_shared = 0;
  for (int i = 0; i < looplaw_shared_variables && !is_shared; i++) {
    base = (uint64_t)looplaw_shared_starts[i];
    is_shared = address >= base && address < base + (uint64_t)looplaw_shared_sizes[i];
  }
  if (!is_shared) {
    base = (uint64_t)dynamic_shared;
    is_shared = address >= base && address < base + DYNAMIC_SHARED;
  }
  records[used++] = (struct record){access, linear(current) / lanes, occasion(access), address, size, is_shared,
                                    linear(current) % lanes};
}

static void run_thread(void) {
  looplaw_call(arguments);
  current->state = ENDED;
  swapcontext(&current->context, &scheduler);
}

static void exchange(int first, int last) {
  uint64_t any = 0, all = 1, ballot = 0;
  for (int i = first; i < last; i++)
    if (fibres[i].state == AT_WARP && fibres[i].how >= 8) {
      any |= fibres[i].value;
      all &= fibres[i].value;
      ballot |= fibres[i].value << (i - first);
    }
  for (int i = first; i < last; i++) {
    struct fibre *f = fibres + i;
    if (f->state != AT_WARP || f->how < 0) continue;
    if (f->how >= 8) {
      f->result = f->how == 8 || f->how == 11 ? any : f->how == 9 || f->how == 12 ? all
                  : f->how == 13 ? (uint64_t)__builtin_popcountll(ballot) : ballot;
      continue;
    }
    int lane = i - first, start = lane / f->width * f->width, at = lane;
    switch (f->how) {
    case 0: at = start + ((f->offset % f->width) + f->width) % f->width; break;
    case 1: at = lane - f->offset < start ? lane : lane - f->offset; break;
    case 2: at = lane + f->offset >= start + f->width ? lane : lane + f->offset; break;
    case 3: at = lane ^ f->offset; break;
    }
    int other = first + at;
    f->result = other < last && fibres[other].state == AT_WARP ? fibres[other].value : f->value;
  }
  for (int i = first; i < last; i++)
    if (fibres[i].state == AT_WARP) fibres[i].state = RUNS;
}

static int any_in(enum state state, int first, int last) {
  for (int i = first; i < last; i++)
    if (fibres[i].state == state) return 1;
  return 0;
}

static void run_block(void) {
  for (int i = 0; i < threads; i++) {
    struct fibre *f = fibres + i;
    f->state = RUNS;
    f->tid[0] = i % block[0];
    f->tid[1] = i / block[0] % block[1];
    f->tid[2] = i / block[0] / block[1];
    memset(f->count, 0, sizeof *f->count * (size_t)(looplaw_loops + 1));
    memset(f->seen, 0, sizeof *f->seen * (size_t)(looplaw_accesses + 1));
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = stacks + (size_t)i * STACK;
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = &scheduler;
    makecontext(&f->context, run_thread, 0);
  }
  used = 0;
  for (;;) {
    for (int i = 0; i < threads; i++)
      while (fibres[i].state == RUNS) {
        current = fibres + i;
        swapcontext(&scheduler, &current->context);
      }
    for (int i = 0; i < threads; i += lanes)
      if (any_in(AT_WARP, i, i + lanes < threads ? i + lanes : threads))
        exchange(i, i + lanes < threads ? i + lanes : threads);
    if (any_in(RUNS, 0, threads)) continue;
    if (!any_in(AT_BLOCK, 0, threads)) return;
    for (int i = 0; i < threads; i++)
      if (fibres[i].state == AT_BLOCK) fibres[i].state = RUNS;
  }
}

static int by_group(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  if (x->access != y->access) return x->access < y->access ? -1 : 1;
  if (x->warp != y->warp) return x->warp < y->warp ? -1 : 1;
  if (x->occurrence != y->occurrence) return x->occurrence < y->occurrence ? -1 : 1;
  return x->address < y->address ? -1 : x->address > y->address;
}
static int64_t blocks(const struct record *r, int64_t n, uint64_t size) {
  int64_t found = 0;
  uint64_t next = 0; // records are in the order of addresses
  for (int64_t i = 0; i < n; i++) {
    uint64_t low = r[i].address / size, high = (r[i].address + (uint64_t)r[i].size - 1) / size;
    if (low < next) low = next;
    if (high >= low) found += (int64_t)(high - low + 1);
    if (high + 1 > next) next = high + 1;
  }
  return found;
}
static int by_address(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}
static int by_lane(const void *a, const void *b) {
  return ((const struct record *)a)->lane - ((const struct record *)b)->lane;
}
static int64_t ways(const struct record *records_of_lanes, int64_t n) {
  // in the order of lanes: where accesses are wider than a word, several turns are taken
  static struct record r[MOST_LANES];
  if (n > MOST_LANES) n = MOST_LANES;
  memcpy(r, records_of_lanes, (size_t)n * sizeof *r);
  qsort(r, (size_t)n, sizeof *r, by_lane);
  int64_t most = 1, turn = 128 / (r->size > 4 ? r->size : 4);
  if (turn > BANKS) turn = BANKS;
  for (int64_t at = 0; at < n; at += turn) {
    int64_t number = 0, in_bank[BANKS] = {0};
    uint64_t words[BANKS * 32];
    for (int64_t i = at; i < n && i < at + turn; i++)
      for (uint64_t w = r[i].address / 4; w <= (r[i].address + (uint64_t)r[i].size - 1) / 4; w++)
        words[number++] = w;
    qsort(words, (size_t)number, sizeof *words, by_address);
    for (int64_t i = 0; i < number; i++)
      if (!i || words[i] != words[i - 1]) {
        int64_t here = ++in_bank[words[i] % BANKS];
        if (here > most) most = here;
      }
  }
  return most;
}

static void add_groups(struct totals *totals) {
  qsort(records, (size_t)used, sizeof *records, by_group);
  for (int64_t i = 0, n; i < used; i += n) {
    const struct record *r = records + i;
    for (n = 1; i + n < used && r[n].access == r->access && r[n].warp == r->warp &&
                r[n].occurrence == r->occurrence; n++) {}
    struct totals *t = totals + r->access;
    int64_t sectors = r->is_shared ? 0 : blocks(r, n, 32), lines = r->is_shared ? 0 : blocks(r, n, 128);
    int64_t turns = r->is_shared ? ways(r, n) : 0;
    t->executions += n;
    t->groups++;
    t->sectors += sectors;
    if (n < lanes) continue;
#define LOW(x, v) if (!t->full || v < t->x) t->x = v;
#define HIGH(x, v) if (!t->full || v > t->x) t->x = v;
    LOW(sectors_low, sectors) HIGH(sectors_high, sectors)
    LOW(lines_low, lines) HIGH(lines_high, lines)
    LOW(ways_low, turns) HIGH(ways_high, turns)
    t->full++;
  }
}

static void *buffer(int64_t bytes, int fill) {
  // room on both sides: a stencil may look beyond its array; what goes further fails, and writes
  // over nothing that is counted
  const int64_t margin = 1 << 28;
  const int64_t all = (bytes + 4 * margin + 4095) / 4096 * 4096;
  char *p = mmap(0, (size_t)all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED || mprotect(p + margin, (size_t)(all - 2 * margin), PROT_READ | PROT_WRITE))
    fail("no memory for a buffer");
  p += margin;
  if (fill == 1)
    for (int64_t i = 0; i < bytes; i++) p[margin + i] = (char)getchar();
  return p + margin;
}

static int launch(void) {
  int number;
  if (scanf("%d %d %d %d %d %d %d %d", grid, grid + 1, grid + 2, block, block + 1, block + 2, &lanes,
            &number) != 8)
    return 0;
  threads = block[0] * block[1] * block[2];
  arguments = calloc((size_t)number + 1, sizeof *arguments);
  int64_t *kept = calloc((size_t)number + 1, sizeof *kept);
  for (int i = 0; i < number; i++) {
    char kind;
    int64_t value;
    if (scanf(" %c %" SCNd64, &kind, &value) != 2) fail("malformed launch");
    uint64_t *slot = calloc(64, 1);
    if (kind == 'b' || kind == 'r') { // bytes of a buffer, which follow; r: what it holds is asked
      getchar();
      *slot = (uint64_t)buffer(value, 1);
      kept[i] = kind == 'r' ? value : 0;
    } else if (kind == 'z') // a buffer of zeros
      *slot = (uint64_t)buffer(value, 0);
    else if (kind == 's') // shared memory
      *slot = (uint64_t)dynamic_shared;
    else // a number, as its bits
      *slot = (uint64_t)value;
    arguments[i] = slot;
  }
  fibres = calloc((size_t)threads, sizeof *fibres);
  stacks = mmap(0, (size_t)threads * STACK, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (int i = 0; i < threads; i++) {
    fibres[i].count = calloc((size_t)looplaw_loops + 1, sizeof *fibres->count);
    fibres[i].iteration = calloc((size_t)looplaw_loops + 1, sizeof *fibres->iteration);
    fibres[i].seen = calloc((size_t)looplaw_accesses + 1, sizeof *fibres->seen);
  }
  records = mmap(0, sizeof *records * MOST_RECORDS, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int64_t *work = calloc((size_t)looplaw_loops + 1, 8), *depth = calloc((size_t)looplaw_loops + 1, 8),
          *warps = calloc((size_t)looplaw_loops + 1, 8);
  private = calloc((size_t)looplaw_accesses + 1, sizeof *private);
  struct totals *totals = calloc((size_t)looplaw_accesses + 1, sizeof *totals);
  for (ctaid[2] = 0; ctaid[2] < grid[2]; ctaid[2]++)
    for (ctaid[1] = 0; ctaid[1] < grid[1]; ctaid[1]++)
      for (ctaid[0] = 0; ctaid[0] < grid[0]; ctaid[0]++) {
        run_block();
        add_groups(totals);
        for (int l = 0; l < looplaw_loops; l++)
          for (int first = 0; first < threads; first += lanes) {
            int64_t most = 0;
            for (int i = first; i < first + lanes && i < threads; i++) {
              int64_t n = fibres[i].count[l];
              work[l] += n;
              if (n > most) most = n;
            }
            if (most > depth[l]) depth[l] = most;
            warps[l] += most * lanes;
          }
      }
  for (int l = 0; l < looplaw_loops; l++)
    fprintf(out, "loop %d %" PRId64 " %" PRId64 " %" PRId64 "\n", l, work[l], depth[l], warps[l]);
  for (int a = 0; a < looplaw_accesses; a++) {
    struct totals *t = totals + a;
    if (private[a] && !t->executions) continue;
    fprintf(out, "access %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, a, t->executions, t->groups,
           t->full, t->sectors);
    fprintf(out, " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
           t->sectors_low, t->sectors_high, t->lines_low, t->lines_high, t->ways_low, t->ways_high);
  }
  for (int i = 0; i < number; i++) {
    if (!kept[i]) continue;
    fprintf(out, "buffer %d ", i);
    for (int64_t at = 0; at < kept[i]; at++)
      fprintf(out, "%02x", ((const unsigned char *)*(const uint64_t *)arguments[i])[at]);
    fputs("\n", out);
  }
  fputs("end\n", out);
  fflush(out);
  return 1;
}

int main(void) {
  // what a kernel prints is not asked for
  out = fdopen(dup(1), "w");
  if (!out || !freopen("/dev/null", "w", stdout)) fail("no output");
  while (launch()) {}
  return 0;
}
