/* Cells of an instrumented program: a memory-mapped file that readers follow while the program runs.
 *
 * Header (4096 bytes), then `slots` segments of `counters` cells of 64 bytes each. A segment has one writer at a time,
 * the thread that attached it; a thread that ends hands its segment on, since totals are summed over all of them.
 * Words are aligned and written whole, so a reader never sees half a number. */
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

static void open_cells(int child) {
    const char *path = getenv("LOOPLAW_CELLS");
    uint64_t slots = 256, bytes;
    char name[4096];
    void *at = MAP_FAILED;
    while (slots > 4 && slots * __looplaw_counters * CELL > (64u << 20)) slots /= 2;
    bytes = HEADER + slots * (__looplaw_counters ? __looplaw_counters : 1) * CELL;
    if (path && *path) {
        const char *r = rank();
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
    }
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
    idle_count = 0;
    open_cells(1);
    __looplaw_segment = 0;
}

static void start(void) {
    open_cells(0);
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
