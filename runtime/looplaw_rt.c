/* Cells of an instrumented program: a memory-mapped file that readers follow while the program runs.
 *
 * Header (4096 bytes), then `slots` segments of `counters` cells of 64 bytes each. A segment has one writer at a time,
 * the thread that attached it; a thread that ends hands its segment on, since totals are summed over all of them.
 * Words are aligned and written whole, so a reader never sees half a number.
 *
 * Entries of loops go to a second file: a header, then for each loop a word with the entries left out and a hash table
 * of combinations (how often, iterations, states, values). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MAGIC 0x315741574C504F4CULL /* "LOPLWAW1" in the order of bytes */
#define CELL 64
#define HEADER 4096

extern const uint64_t __looplaw_counters;
__thread void *__looplaw_segment __attribute__((tls_model("initial-exec"))) = 0;

struct header {
    uint64_t magic, counters, slots, used, pid, clean, lost_threads;
    double ns_per_tick;
    uint64_t start_ticks, start_ns;
};

static struct header *head;
static char *cells;
static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void **idle;
static uint64_t idle_count, idle_room;

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

static uint64_t ticks(void) { return (uint64_t)__builtin_readcyclecounter(); }

static void calibrate(void) {
    uint64_t elapsed = ticks() - head->start_ticks;
    if (elapsed) head->ns_per_tick = (double)(now_ns() - head->start_ns) / (double)elapsed;
}

/* mpiexec's launchers number their processes in the environment. */
static const char *rank(void) {
    static const char *names[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"};
    for (unsigned i = 0; i < 3; i++)
        if (getenv(names[i])) return getenv(names[i]);
    return 0;
}

/* A shared mapping of the file that the variable names, with the rank's or the child's number; MAP_FAILED if none. */
static void *map_file(const char *variable, uint64_t bytes, int child) {
    const char *path = getenv(variable), *r = rank();
    char name[4096];
    void *at = MAP_FAILED;
    if (!path || !*path) return at;
    if (child) snprintf(name, sizeof name, "%s.pid%ld", path, (long)getpid());
    else if (r) snprintf(name, sizeof name, "%s.rank%s", path, r);
    else snprintf(name, sizeof name, "%s", path);
    int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) {
        /* allocate the blocks now: a full disk is an error here, not a crash later */
        if (posix_fallocate(file, 0, (off_t)bytes) == 0)
            at = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
    }
    if (at == MAP_FAILED) fprintf(stderr, "looplaw: cannot write counts to %s: %s\n", name, strerror(errno));
    return at;
}

static void open_cells(int child) {
    uint64_t slots = 256, bytes;
    void *at;
    while (slots > 4 && slots * __looplaw_counters * CELL > (64u << 20)) slots /= 2;
    bytes = HEADER + slots * (__looplaw_counters ? __looplaw_counters : 1) * CELL;
    at = map_file("LOOPLAW_CELLS", bytes, child);
    if (at == MAP_FAILED) at = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) abort();
    head = at;
    cells = (char *)at + HEADER;
    head->counters = __looplaw_counters;
    head->slots = slots;
    head->pid = (uint64_t)getpid();
    head->start_ns = now_ns();
    head->start_ticks = ticks();
    while (now_ns() - head->start_ns < 100000) { }
    calibrate();
    __atomic_store_n(&head->magic, MAGIC, __ATOMIC_RELEASE);
}

/* -- entries of loops -- */
#define ENTRIES_MAGIC 0x31544E4557414C4CULL /* "LLAWENT1" */

struct table {
    uint64_t words, slots, used, turn, stride, *missed, *rows;
};

extern const uint64_t __looplaw_probes;                /* number of loops */
extern const struct { uint64_t words, slots; } __looplaw_probe[]; /* length of a row, number of rows */
static struct table *tables;
static pthread_mutex_t entries_lock = PTHREAD_MUTEX_INITIALIZER;

static void open_entries(int child) {
    uint64_t bytes = HEADER, *at;
    tables = 0;
    if (!__looplaw_probes) return;
    for (uint64_t k = 0; k < __looplaw_probes; k++)
        bytes += 8 * (1 + __looplaw_probe[k].words * __looplaw_probe[k].slots);
    at = map_file("LOOPLAW_ENTRIES", bytes, child);
    if (at == MAP_FAILED) return;
    at[0] = ENTRIES_MAGIC;
    at[1] = __looplaw_probes;
    at += HEADER / 8;
    struct table *made = calloc(__looplaw_probes, sizeof *made);
    if (!made) abort();
    for (uint64_t k = 0; k < __looplaw_probes; k++) {
        uint64_t words = __looplaw_probe[k].words, slots = __looplaw_probe[k].slots;
        made[k] = (struct table){words, slots, 0, 0, 1, at, at + 1};
        at += 1 + words * slots;
    }
    tables = made;
}

/* May one more combination enter? All until the table is half full, then fewer and fewer, up to three quarters. */
static int admits(struct table *t) {
    if (t->used < t->slots / 2) return 1;
    if (t->used >= t->slots / 4 * 3 || ++t->turn < t->stride) return 0;
    t->turn = 0;
    if (t->used % (t->slots / 64 + 1) == 0) t->stride *= 2;
    return 1;
}

/* One entry of the loop `id` is over. Two bits of `states` for each value: none, known, changed meanwhile. */
void __looplaw_entry(uint64_t id, uint64_t iterations, uint64_t states, const uint64_t *values) {
    if (!tables) return;
    struct table *t = &tables[id];
    uint64_t n = t->words - 3, h = (iterations ^ states << 7) * 0x9E3779B97F4A7C15ULL, at;
    for (uint64_t k = 0; k < n; k++) {
        h = (h ^ h >> 29 ^ values[k]) * 0xBF58476D1CE4E5B9ULL;
    }
    pthread_mutex_lock(&entries_lock);
    for (at = (h ^ h >> 32) & (t->slots - 1);; at = (at + 1) & (t->slots - 1)) {
        uint64_t *row = t->rows + at * t->words;
        if (!row[0]) {
            if (admits(t)) {
                row[1] = iterations;
                row[2] = states;
                memcpy(row + 3, values, n * 8);
                row[0] = 1;
                t->used++;
            } else {
                ++*t->missed;
            }
            break;
        }
        if (row[1] == iterations && row[2] == states && !memcmp(row + 3, values, n * 8)) {
            row[0]++;
            break;
        }
    }
    pthread_mutex_unlock(&entries_lock);
}

static void thread_ends(void *segment) {
    pthread_mutex_lock(&lock);
    if (idle_count == idle_room) {
        uint64_t room = idle_room ? 2 * idle_room : 64;
        void **more = realloc(idle, room * sizeof *idle);
        if (more) { idle = more; idle_room = room; }
    }
    if (idle_count < idle_room) idle[idle_count++] = segment;
    pthread_mutex_unlock(&lock);
    __looplaw_segment = 0;
}

static void forked(void) {
    pthread_mutex_init(&lock, 0);
    pthread_mutex_init(&entries_lock, 0);
    idle_count = 0;
    open_cells(1);
    open_entries(1);
    __looplaw_segment = 0;
}

static void start(void) {
    open_cells(0);
    open_entries(0);
    pthread_key_create(&key, thread_ends);
    pthread_atfork(0, 0, forked);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

void *__looplaw_attach(void) {
    void *segment = 0;
    pthread_once(&once, start);
    pthread_mutex_lock(&lock);
    if (idle_count) segment = idle[--idle_count];
    else if (head->used < head->slots)
        segment = cells + head->used++ * __looplaw_counters * CELL;
    pthread_mutex_unlock(&lock);
    if (!segment) { /* more threads at once than slots: this one counts into private memory, and the header says so */
        __atomic_fetch_add(&head->lost_threads, 1, __ATOMIC_RELAXED);
        segment = calloc(__looplaw_counters ? __looplaw_counters : 1, CELL);
        if (!segment) abort();
    } else {
        pthread_setspecific(key, segment);
    }
    __looplaw_segment = segment;
    return segment;
}

__attribute__((constructor)) static void begin(void) { pthread_once(&once, start); }

__attribute__((destructor)) static void end(void) {
    if (!head) return;
    calibrate();
    head->clean = 1;
}
