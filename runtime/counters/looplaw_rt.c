/* Counts of an instrumented process: a memory-mapped file that readers follow while the program runs.
 *
 * The file is a header (4096 bytes) and blocks, one behind the other. A unit is what was instrumented together, a
 * program or one object file; it has a block with its plan as text, and one of counters for each thread that counts in
 * it. A block of counters has one writer at a time; a thread that ends hands its blocks on, since totals are summed
 * over all of them. Words are aligned and written whole. Words that belong together are written between two increments
 * of the block's `turn`, so that a reader knows when to look again.
 *
 * Entries of loops (for verify) go to a second file: a header, then for each loop a word with the entries left out and
 * a hash table of combinations (how often, iterations, states, values).
 *
 * Nothing here calls malloc or stdio: the program's own may be what is counted. */
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

#define MAGIC 0x335741574C504F4CULL /* "LOPLWAW3" in the order of bytes */
#define HEADER 4096
#define ROOM (4ULL << 30)
enum { PLAN = 1, COUNTERS = 2, CALLS = 3 };
enum { LEFT, GRANTED, PERIOD, LAST, WEIGHT };            /* words of a function's turns */
enum { TICKS, SAMPLES, SQUARES };                        /* words of a timed loop */
enum { TIMES, SUM_TICKS, SUM_SQUARES, TIMED, FIXED };    /* words of a row of calls, before iterations and values */

struct header {
    uint64_t magic, used, units, pid, clean, lost, failure;
    int64_t rank;
    uint64_t start_ticks, start_ns, last_ticks, last_ns, sample_ticks;
};

struct block { /* the 64 bytes before its words */
    uint32_t kind, loops;
    uint64_t unit, bytes, turn;
    uint32_t row, slots, wanted, given; /* of calls: has a reader asked for a copy; made so far, odd while one is made */
    uint64_t used, missed;
};

struct unit { /* as the instrumentation writes it */
    uint64_t words;
    const char *plan;
    uint64_t plan_bytes, tables;
    const uint64_t *table; /* for each table of calls: length of a row, number of rows, how many loops it counts */
    uint64_t index, generation;
};

struct attached { /* one thread's counters of one unit */
    struct unit *unit;
    uint64_t **slot, *words;
    struct attached *next;
};

struct pool { /* memory for small records, never given back */
    char *at, *end;
};

static struct header *head;
static int file = -1;
static struct stat identity;
static char name[4096];
static uint64_t generation = 1, room;
static int forked, complained;
static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct pool pool;
static struct attached *idle;
static __thread struct attached *mine __attribute__((tls_model("initial-exec")));

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

static inline uint64_t ticks(void) {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t t;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
#else
    return now_ns();
#endif
}

static void *take(uint64_t bytes) {
    bytes = (bytes + 63) & ~63ULL;
    if ((uint64_t)(pool.end - pool.at) < bytes) {
        uint64_t size = bytes > 65536 ? bytes : 65536;
        void *at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) abort();
        pool.at = at;
        pool.end = pool.at + size;
    }
    pool.at += bytes;
    return pool.at - bytes;
}

static void say(const char *text) {
    ssize_t ignored = write(2, text, strlen(text));
    (void)ignored;
}

static void complain(const char *what, int error) {
    head->failure = (uint64_t)error;
    if (complained++) return;
    say("looplaw: counts are incomplete: cannot ");
    say(what);
    say(" ");
    say(name);
    say(": ");
    say(error == ENOSPC ? "the disk is full" : error == EACCES ? "not permitted" : error == ENOENT ? "no such folder" : "failed");
    say("\n");
}

/* -- the file -- */
/* mpiexec's launchers number their processes in the environment. */
static const char *rank(void) {
    static const char *names[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
    for (unsigned i = 0; i < 5; i++)
        if (getenv(names[i])) return getenv(names[i]);
    return 0;
}

static void append(char *to, const char *text) {
    size_t n = strlen(to), m = strlen(text);
    if (n + m < sizeof name) memcpy(to + n, text, m + 1);
}

static void append_number(char *to, uint64_t number) {
    char digits[24], *at = digits + 23;
    *at = 0;
    do *--at = (char)('0' + number % 10); while (number /= 10);
    append(to, at);
}

/* Is the file being written by a process that lives, or was it by this one, before exec() or in another library? */
static int in_use(int descriptor) {
    struct header h;
    if (pread(descriptor, &h, sizeof h, 0) != (ssize_t)sizeof h || h.magic != MAGIC) return 0;
    return h.pid == (uint64_t)getpid() || kill((pid_t)h.pid, 0) == 0 || errno == EPERM;
}

/* The file that the variable names, with the rank's number, and with the process's where another one has it. */
static int open_file(const char *variable) {
    const char *path = getenv(variable), *r = rank();
    if (!path || !*path || strlen(path) + 64 > sizeof name) return -1;
    name[0] = 0;
    append(name, path);
    if (r) {
        append(name, ".rank");
        append(name, r);
    }
    int descriptor = forked ? -1 : open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (!forked && (descriptor < 0 || !in_use(descriptor))) return descriptor;
    if (descriptor >= 0) close(descriptor);
    append(name, ".pid");
    append_number(name, (uint64_t)getpid());
    size_t length = strlen(name);
    for (uint64_t k = 1; k < 1000; k++) {
        if (k > 1) {
            append(name, "-");
            append_number(name, k);
        }
        descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (descriptor >= 0 || errno != EEXIST) break;
        name[length] = 0;
    }
    return descriptor;
}

static struct header *map_anonymous(void) {
    void *at = mmap(0, HEADER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) abort();
    return at;
}

static void open_counts(void) {
    void *at = MAP_FAILED;
    const char *path = getenv("LOOPLAW_CELLS"), *r = rank();
    int error = 0;
    file = open_file("LOOPLAW_CELLS");
    if (file < 0 && path && *path) error = errno;
    if (file >= 0) {
        if (ftruncate(file, 0) || (error = posix_fallocate(file, 0, HEADER))) {
            error = error ? error : errno;
        } else {
            fstat(file, &identity);
            /* room for what is to come; pages behind the end of the file are never touched */
            for (room = ROOM; room > HEADER && at == MAP_FAILED; room /= 4)
                at = mmap(0, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
            room *= 4;
            if (at == MAP_FAILED) error = errno;
        }
    }
    if (at == MAP_FAILED) {
        if (file >= 0) close(file);
        file = -1;
        room = HEADER;
        at = map_anonymous();
    }
    head = at;
    if (error) complain("write", error);
    head->used = HEADER;
    head->pid = (uint64_t)getpid();
    head->rank = r ? atoi(r) : -1;
    head->last_ns = head->start_ns = now_ns();
    head->last_ticks = head->start_ticks = ticks();
    __atomic_store_n(&head->magic, MAGIC, __ATOMIC_RELEASE);
}

/* May the file grow to this size? Its blocks are allocated now: a full disk is an error here, not a crash later. */
static int grows(uint64_t size) {
    struct stat now;
    int error = 0;
    if (file < 0 || size > room) {
        error = file < 0 ? 0 : ENOMEM;
    } else {
        if (fstat(file, &now) || now.st_ino != identity.st_ino || now.st_dev != identity.st_dev)
            file = open(name, O_RDWR | O_CLOEXEC); /* the program has closed it */
        error = file < 0 ? errno : posix_fallocate(file, 0, (off_t)size);
        if (!error) return 1;
    }
    if (error) complain("enlarge", error);
    return 0;
}

/* A new block of so many words, in private memory where the file cannot take it. */
static struct block *new_block(uint32_t kind, uint64_t unit, uint64_t words) {
    uint64_t bytes = (sizeof(struct block) + 8 * words + 63) & ~63ULL;
    struct block *made;
    int shared = grows(head->used + bytes);
    if (shared) {
        made = (struct block *)((char *)head + head->used);
    } else {
        made = take(bytes);
        if (file >= 0) head->lost++;
    }
    made->unit = unit;
    made->bytes = bytes;
    made->kind = kind;
    if (shared) __atomic_store_n(&head->used, head->used + bytes, __ATOMIC_RELEASE);
    return made;
}

static void know(struct unit *unit) {
    if (unit->generation == generation) return;
    unit->index = head->units++;
    unit->generation = generation;
    struct block *plan = new_block(PLAN, unit->index, (unit->plan_bytes + 7) / 8);
    memcpy(plan + 1, unit->plan, unit->plan_bytes);
    plan->used = unit->plan_bytes;
}

/* -- threads and processes -- */
static void thread_ends(void *ignored) {
    struct attached *all = mine, *next;
    (void)ignored;
    mine = 0;
    pthread_mutex_lock(&lock);
    for (; all; all = next) {
        next = all->next;
        *all->slot = 0;
        all->next = idle;
        idle = all;
    }
    pthread_mutex_unlock(&lock);
}

static pthread_mutex_t entries_lock = PTHREAD_MUTEX_INITIALIZER;
static struct table *tables;
static void open_entries(void);

static void before_fork(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&entries_lock);
}

static void parent_after_fork(void) {
    pthread_mutex_unlock(&entries_lock);
    pthread_mutex_unlock(&lock);
}

/* The child counts from zero, into a file of its own, which is made when it counts something. */
static void child_after_fork(void) {
    for (struct attached *a = mine; a; a = a->next) *a->slot = 0;
    mine = idle = 0;
    if (head) munmap(head, room);
    if (file >= 0) close(file);
    head = 0;
    file = -1;
    tables = 0;
    forked = 1;
    generation++;
    pthread_mutex_unlock(&entries_lock);
    pthread_mutex_unlock(&lock);
}

static void start(void) {
    pthread_key_create(&key, thread_ends);
    pthread_atfork(before_fork, parent_after_fork, child_after_fork);
}

static void ready(void) {
    if (head) return;
    open_counts();
    open_entries();
}

/* The calling thread's counters of a unit, from now on also in `slot`, a variable of this thread. */
__attribute__((cold)) void *__looplaw_attach(struct unit *unit, uint64_t **slot) {
    sigset_t all, before;
    struct attached **at, *found;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_once(&once, start);
    pthread_mutex_lock(&lock);
    ready();
    know(unit);
    for (at = &idle; *at && (*at)->unit != unit; at = &(*at)->next) { }
    if (*at) {
        found = *at;
        *at = found->next;
    } else {
        found = take(sizeof *found);
        found->unit = unit;
        struct block *made = new_block(COUNTERS, unit->index, unit->words + unit->tables);
        found->words = (uint64_t *)(made + 1);
    }
    found->slot = slot;
    found->next = mine;
    mine = found;
    pthread_mutex_unlock(&lock);
    pthread_setspecific(key, found);
    *slot = found->words;
    pthread_sigmask(SIG_SETMASK, &before, 0);
    return found->words;
}

/* -- time -- */
/* Returns what `closes` is told: reading the block's turn there again would wait for what was just written. */
static inline uint64_t opens(struct block *b) {
    const uint64_t turn = __atomic_load_n(&b->turn, __ATOMIC_RELAXED); /* now: a signal's handler may have changed it */
    __atomic_store_n(&b->turn, turn + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    return turn;
}

static inline void closes(struct block *b, uint64_t turn) {
    __atomic_store_n(&b->turn, turn + 2, __ATOMIC_RELEASE);
}

static void keep_time(uint64_t now) {
    if (now - head->last_ticks < 1u << 22) return;
    head->last_ns = now_ns();
    head->last_ticks = now;
}

static uint64_t cost(void) {
    uint64_t least = ~0ULL;
    for (int k = 0; k < 16; k++) {
        uint64_t since = ticks(), now = ticks();
        if (now - since < least) least = now - since;
    }
    return least + 1;
}

/* A call whose turn it is to be timed; it stands for itself and the following ones up to the next turn. Turns come at
 * random distances, so that they do not fall into step with the program, and further apart the faster they come: at
 * most one in 32768 ticks. Returns 0 if it is not to be timed. */
__attribute__((cold)) uint64_t __looplaw_turn(uint64_t *words, uint64_t group) {
    struct block *b = (struct block *)words - 1;
    uint64_t *g = words + group, now;
    if (b->turn & 1) return 0; /* a signal's handler; calls go on being counted in LEFT */
    if (!head->sample_ticks) head->sample_ticks = cost();
    now = ticks();
    uint64_t period = g[PERIOD] ? g[PERIOD] : 1;
    if (g[LAST] && now - g[LAST] < 32768 && period < 1u << 20) period *= 2;
    else if (now - g[LAST] > 1u << 20 && period > 1) period /= 2;
    uint64_t random = (g[GRANTED] + now) * 0x9E3779B97F4A7C15ULL >> 32;
    uint64_t next = period < 4 ? period : period / 2 + random % period;
    const uint64_t turn = opens(b);
    g[PERIOD] = period;
    g[LAST] = now;
    g[WEIGHT] = next;
    g[LEFT] += next; /* it was -1: one call is taken out of the new ones */
    g[GRANTED] += next;
    closes(b, turn);
    keep_time(now);
    return next;
}

uint64_t __looplaw_now(void) { return ticks(); }

__attribute__((cold)) void __looplaw_timed(uint64_t *words, uint64_t loop, uint64_t since, uint64_t calls) {
    uint64_t elapsed = ticks() - since;
    struct block *b = (struct block *)words - 1;
    uint64_t *t = words + loop;
    double square;
    if (b->turn & 1 || !since) return;
    elapsed -= elapsed < head->sample_ticks ? elapsed : head->sample_ticks;
    const uint64_t turn = opens(b);
    t[TICKS] += elapsed * calls;
    t[SAMPLES]++;
    memcpy(&square, t + SQUARES, 8);
    square += (double)elapsed * (double)elapsed;
    memcpy(t + SQUARES, &square, 8);
    closes(b, turn);
}

/* -- calls by the arguments that matter -- */
static uint64_t *new_table(struct unit *unit, uint64_t table) {
    uint64_t row = unit->table[3 * table], slots = unit->table[3 * table + 1];
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_mutex_lock(&lock);
    struct block *made = new_block(CALLS, unit->index << 32 | table, 2 * row * slots);
    made->row = (uint32_t)row;
    made->slots = (uint32_t)slots;
    made->loops = (uint32_t)unit->table[3 * table + 2];
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, &before, 0);
    return (uint64_t *)(made + 1);
}

#define SHORT _Pragma("clang loop vectorize(disable)") /* two or three turns as a rule */

__attribute__((noinline, cold)) static int admit(struct block *b, uint64_t *own, const uint64_t *values, uint64_t n) {
    if (b->used >= b->slots / 4 * 3) {
        b->missed++;
        return 0;
    }
    const uint64_t turn = opens(b);
    b->used++;
    for (uint64_t k = 0; k < n; k++) own[k] = values[k];
    closes(b, turn);
    return 1;
}

static inline uint64_t slot_of(const uint64_t *values, uint64_t n) {
    uint64_t h = n ? values[0] * 0x9E3779B97F4A7C15ULL : 0;
    SHORT for (uint64_t k = 1; k < n; k++) h = (h ^ h >> 29 ^ values[k]) * 0xBF58476D1CE4E5B9ULL;
    return h >> 32;
}

static inline int is_row(const uint64_t *row, const uint64_t *own, const uint64_t *values, uint64_t n) {
    if (!row[TIMES]) return 0;
    SHORT for (uint64_t k = 0; k < n; k++)
        if (own[k] != values[k]) return 0;
    return 1;
}

/* Copies the table behind itself for a reader: events may come faster than one can read. */
static void publish(struct block *b) {
    const uint32_t given = __atomic_load_n(&b->given, __ATOMIC_RELAXED);
    const uint64_t bytes = 8ULL * b->row * b->slots;
    uint64_t turn;
    if (given & 1) return; /* a signal's handler, in the middle of a copy */
    __atomic_store_n(&b->wanted, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&b->given, given + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    do { /* again where a signal's handler changed it meanwhile */
        turn = __atomic_load_n(&b->turn, __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        memcpy((char *)(b + 1) + bytes, b + 1, bytes);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    } while (turn != __atomic_load_n(&b->turn, __ATOMIC_RELAXED));
    __atomic_store_n(&b->given, given + 2, __ATOMIC_RELEASE);
}

/* The row of these values, a new one if there is none; 0 where it may not be used now. */
static uint64_t *find_row(struct unit *unit, uint64_t *words, uint64_t table, const uint64_t *from) {
    uint64_t **place = (uint64_t **)(words + unit->words + table);
    if (!*place) *place = new_table(unit, table);
    struct block *b = (struct block *)*place - 1;
    const uint64_t loops = b->loops, n = b->row - FIXED - loops, *values = from + loops;
    if (b->turn & 1) { /* a signal's handler, in the middle of another event */
        b->missed++;
        return 0;
    }
    if (__atomic_load_n(&b->wanted, __ATOMIC_RELAXED)) publish(b);
    for (uint64_t at = slot_of(values, n);; at++) {
        uint64_t *row = *place + (at & (b->slots - 1)) * b->row;
        if (is_row(row, row + FIXED + loops, values, n)) return row;
        if (!row[TIMES]) return admit(b, row + FIXED + loops, values, n) ? row : 0;
    }
}

static inline void count_call(uint64_t *row, const uint64_t *from, uint64_t loops) {
    row[TIMES]++;
    SHORT for (uint64_t k = 0; k < loops; k++) row[FIXED + k] += from[k];
}

__attribute__((noinline, cold)) static void call_elsewhere(struct unit *unit, uint64_t *words, uint64_t table,
                                                           const uint64_t *from) {
    uint64_t *row = find_row(unit, words, table, from);
    if (!row) return;
    struct block *b = *(struct block **)(words + unit->words + table) - 1;
    const uint64_t loops = b->loops;
    const uint64_t turn = opens(b);
    count_call(row, from, loops);
    closes(b, turn);
}

static inline __attribute__((always_inline)) void call(struct unit *unit, uint64_t *words, uint64_t table, const uint64_t *from,
                                                       uint64_t loops, uint64_t n) {
    uint64_t *rows = *(uint64_t **)(words + unit->words + table);
    if (__builtin_expect(!rows, 0)) return call_elsewhere(unit, words, table, from);
    struct block *b = (struct block *)rows - 1;
    uint64_t *row = rows + (slot_of(from + loops, n) & (b->slots - 1)) * (FIXED + loops + n);
    if (__builtin_expect((b->turn & 1) | __atomic_load_n(&b->wanted, __ATOMIC_RELAXED) || !is_row(row, row + FIXED + loops, from + loops, n), 0))
        return call_elsewhere(unit, words, table, from);
    const uint64_t turn = opens(b);
    count_call(row, from, loops);
    closes(b, turn);
}

/* One entry of a kernel is over; `from` has the iterations of its loops in this entry, then the values that tell calls
 * apart. Nearly always these are in the first row that they are looked for. */
void __looplaw_call(struct unit *unit, uint64_t *words, uint64_t table, const uint64_t *from) {
    const uint64_t loops = unit->table[3 * table + 2];
    call(unit, words, table, from, loops, unit->table[3 * table] - FIXED - loops);
}

/* The same for a known number of loops and of values, where nothing is left to loop over. */
#define KNOWN(loops, n) \
    void __looplaw_call_##loops##_##n(struct unit *unit, uint64_t *words, uint64_t table, const uint64_t *from) { \
        call(unit, words, table, from, loops, n); \
    }
#define KNOWN_LOOPS(loops) KNOWN(loops, 1) KNOWN(loops, 2) KNOWN(loops, 3)
KNOWN_LOOPS(1) KNOWN_LOOPS(2) KNOWN_LOOPS(3)

/* The same, and its time, if it is not 0 when it began. */
void __looplaw_timed_call(struct unit *unit, uint64_t *words, uint64_t table, uint64_t since, const uint64_t *from) {
    const uint64_t elapsed = ticks() - since;
    if (!since) return __looplaw_call(unit, words, table, from);
    uint64_t *row = find_row(unit, words, table, from);
    if (!row) return;
    struct block *b = *(struct block **)(words + unit->words + table) - 1;
    const uint64_t loops = b->loops;
    double square;
    const uint64_t turn = opens(b);
    count_call(row, from, loops);
    row[SUM_TICKS] += elapsed;
    memcpy(&square, row + SUM_SQUARES, 8);
    square += (double)elapsed * (double)elapsed;
    memcpy(row + SUM_SQUARES, &square, 8);
    row[TIMED]++;
    closes(b, turn);
}

/* -- entries of loops -- */
#define ENTRIES_MAGIC 0x31544E4557414C4CULL /* "LLAWENT1" */

struct table {
    uint64_t words, slots, used, turn, stride, *missed, *rows;
};

extern const uint64_t __looplaw_probes __attribute__((weak));                 /* number of loops */
extern const struct { uint64_t words, slots; } __looplaw_probe[] __attribute__((weak)); /* length of a row, rows */

static void open_entries(void) {
    uint64_t bytes = HEADER, *at;
    if (!&__looplaw_probes || !__looplaw_probes || !getenv("LOOPLAW_ENTRIES")) return;
    for (uint64_t k = 0; k < __looplaw_probes; k++)
        bytes += 8 * (1 + __looplaw_probe[k].words * __looplaw_probe[k].slots);
    int descriptor = open_file("LOOPLAW_ENTRIES");
    int error = descriptor < 0 ? errno : posix_fallocate(descriptor, 0, (off_t)bytes);
    at = error ? MAP_FAILED : mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (descriptor >= 0) close(descriptor);
    if (at == MAP_FAILED) {
        complain("write", error ? error : errno);
        return;
    }
    at[0] = ENTRIES_MAGIC;
    at[1] = __looplaw_probes;
    at += HEADER / 8;
    struct table *made = take(__looplaw_probes * sizeof *made);
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
    if (!head) {
        pthread_once(&once, start);
        pthread_mutex_lock(&lock);
        ready();
        pthread_mutex_unlock(&lock);
    }
    if (!tables) return;
    struct table *t = &tables[id];
    uint64_t n = t->words - 3, h = (iterations ^ states << 7) * 0x9E3779B97F4A7C15ULL, at;
    for (uint64_t k = 0; k < n; k++) h = (h ^ h >> 29 ^ values[k]) * 0xBF58476D1CE4E5B9ULL;
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

/* Every unit announces itself, so that loops that never run are in the file too. */
void __looplaw_register(struct unit *unit) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_once(&once, start);
    pthread_mutex_lock(&lock);
    ready();
    know(unit);
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, &before, 0);
}

__attribute__((destructor)) static void end(void) {
    if (!head) return;
    head->last_ns = now_ns();
    head->last_ticks = ticks();
    head->clean = 1;
}
