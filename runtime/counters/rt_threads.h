/* Threads' counters: which thread adds to which block, and what happens to it when the thread ends
 * or the process forks.
 *
 * A block of counters has one writer at a time, so that adding to a word takes no atomic
 * instruction. A thread that ends puts its blocks on the list `idle`; the next thread that needs
 * one of the same unit goes on adding there. Readers sum over all blocks and lose nothing, and the
 * file does not grow with the number of threads that ever lived. */

struct attached { /* one thread's counters of one unit */
    struct unit *unit;
    uint64_t **slot, *words; /* slot: the thread-local variable of the unit that points to words */
    struct attached *next;
};

static pthread_key_t key; /* exists for its destructor */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t entries_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct attached *idle;
/* initial-exec: the default model may call malloc at the first access from a shared object */
static __thread struct attached *mine __attribute__((tls_model("initial-exec")));

static struct table *tables; /* of entries, see rt_entries.h */
static void open_entries(void);

/* Words of a function's sampling, see rt_times.h; from COVERED on where some calls are kept. */
enum { LEFT, GRANTED, PERIOD, LAST, WEIGHT, COVERED, NEXT_KEPT, KEPT, WORK };

/* What is left of each function until its next turn is in thread-local variables behind `slot`. */
static uint64_t *left_of(const struct attached *a) { return (uint64_t *)(a->slot + 1); }

static void tell_left(const struct attached *a) {
    const uint64_t *left = left_of(a);
    for (uint64_t k = 0; k < a->unit->sampled; k++) a->words[a->unit->group[k] + LEFT] = left[k];
}

/* The calls of another thread go on where those of one that has ended stopped. */
static void take_over(const struct attached *a) {
    for (uint64_t k = 0; k < a->unit->sampled; k++) {
        uint64_t *g = a->words + a->unit->group[k];
        g[GRANTED] -= g[LEFT];
        g[LEFT] = 0;
    }
}

static void thread_ends(void *ignored) {
    struct attached *all = mine, *next;
    (void)ignored;
    mine = 0;
    pthread_mutex_lock(&lock);
    for (; all; all = next) {
        next = all->next;
        tell_left(all);
        memset(left_of(all), 0, 8 * all->unit->sampled);
        *all->slot = 0;
        all->next = idle;
        idle = all;
    }
    pthread_mutex_unlock(&lock);
}

/* Both locks are held across fork(), so that the child never inherits one that a thread which does
 * not exist there has taken. */
static void before_fork(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&entries_lock);
}

static void parent_after_fork(void) {
    pthread_mutex_unlock(&entries_lock);
    pthread_mutex_unlock(&lock);
}

/* The child counts from zero into a file of its own, made when it first counts something. */
static void child_after_fork(void) {
    for (struct attached *a = mine; a; a = a->next) {
        *a->slot = 0;
        memset(left_of(a), 0, 8 * a->unit->sampled);
    }
    mine = idle = 0;
    if (head) munmap(head, reserved);
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

static void open_files(void) {
    if (head) return;
    open_counts();
    open_entries();
}

/* Take the lock with all signals blocked: a handler that counts would wait for itself. */
static void enter(sigset_t *before) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
    pthread_once(&once, start);
    pthread_mutex_lock(&lock);
}

static void leave(const sigset_t *before) {
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, before, 0);
}

/* The calling thread's counters of a unit. They are also stored in `slot`, a thread-local variable
 * of the unit, so that instrumented code calls this once for each thread. */
__attribute__((cold)) void *__looplaw_attach(struct unit *unit, uint64_t **slot) {
    sigset_t before;
    struct attached **at, *found;
    enter(&before);
    open_files();
    write_plan(unit);
    for (at = &idle; *at && (*at)->unit != unit; at = &(*at)->next) { }
    if (*at) {
        found = *at;
        *at = found->next;
        take_over(found);
    } else {
        found = allocate(sizeof *found);
        found->unit = unit;
        struct block *made = new_block(COUNTERS, unit->index, unit->words + unit->tables);
        found->words = (uint64_t *)(made + 1);
    }
    found->slot = slot;
    found->next = mine;
    mine = found;
    pthread_mutex_unlock(&lock);
    pthread_setspecific(key, found); /* not null: the destructor runs when the thread ends */
    *slot = found->words;
    pthread_sigmask(SIG_SETMASK, &before, 0);
    return found->words;
}

/* Constructor of every unit: writes its plan, so that loops that never run are in the file too. */
void __looplaw_register(struct unit *unit) {
    sigset_t before;
    enter(&before);
    open_files();
    write_plan(unit);
    leave(&before);
}

/* Runs at exit() and at the return from main; a crash or _exit() leaves `clean` at 0. */
__attribute__((destructor)) static void end(void) {
    if (!head) return;
    for (struct attached *a = mine; a; a = a->next) tell_left(a);
    head->last_ns = now_ns();
    head->last_ticks = ticks();
    head->clean = 1;
}
