/* The file of counts: a header and blocks, one behind the other. Opening it, growing it, and memory
 * where it cannot grow.
 *
 * A reader maps the same file while the program runs. It needs no lock: `used` in the header is
 * stored with release order after a block is complete, so every block below `used` is valid. */

#define MAGIC 0x335741574C504F4CULL /* "LOPLWAW3" in the order of bytes */
#define HEADER_BYTES 4096           /* one page: blocks begin on a page of their own */
#define CACHE_LINE 64               /* two threads' blocks never share one: no false sharing */
#define POOL_BYTES 65536            /* private memory is mapped in pieces of this size */
#define MAX_NAMES 1000              /* files tried for one process before giving up */
#define SUFFIX_BYTES 64             /* room kept in a file's name for .rankN.pidN-N */

/* Address space reserved for the file. Only the part up to the end of the file is ever touched; the
 * rest costs nothing, and blocks never move, since a thread holds pointers into them. */
#define RESERVED_BYTES (4ULL << 30)

enum { PLAN = 1, COUNTERS = 2, CALLS = 3 }; /* kinds of blocks */

struct header {
    uint64_t magic, used, units, pid;
    uint64_t clean;   /* the program ended by itself */
    uint64_t lost;    /* blocks that did not fit into the file */
    uint64_t failure; /* errno of the last failure to write */
    int64_t rank;     /* of an MPI process, else -1 */
    /* Two readings of both clocks give the length of a tick; sample_ticks: cost of one stamp. */
    uint64_t start_ticks, start_ns, last_ticks, last_ns, sample_ticks;
    uint64_t world; /* processes of MPI_COMM_WORLD, 0 where the program has not asked */
};

struct block { /* the 64 bytes before a block's words */
    uint32_t kind, loops;
    uint64_t unit, bytes;
    uint64_t sequence; /* seqlock: odd while the words are being changed, see rt_times.h */
    /* Of a table of calls: words of a row, number of rows; `wanted`: a reader asks for a copy;
     * `given`: twice the number of copies made, odd while one is being made. See rt_calls.h. */
    uint32_t row, slots, wanted, given;
    uint64_t used, missed;
};

struct unit { /* what was instrumented together; the instrumentation writes it as IR */
    uint64_t words;
    const char *plan;
    uint64_t plan_bytes, tables;
    /* for each table of calls: words of a row, rows, loops counted, is it a sample of the calls? */
    const uint64_t *table;
    /* Functions whose calls are sampled: how many, and for each the first word of its sampling. In
     * each thread a word for each of them follows the pointer to the thread's words. */
    uint64_t sampled;
    const uint64_t *group;
    uint64_t index, generation;
};

struct pool { /* memory for small records, never given back */
    char *at, *end;
};

static struct header *head; /* null until the process counts something */
static uint64_t world;      /* see the header */
static int file = -1;
static struct stat identity; /* tells our file from one that reuses its descriptor */
static char name[4096];
static uint64_t generation = 1; /* of the file: a forked child has a new one */
static uint64_t reserved;
static int forked, complained;
static struct pool pool;

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

/* The processor's counter, which is cheaper to read than clock_gettime. */
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

static uint64_t rounded_up(uint64_t bytes) {
    return (bytes + CACHE_LINE - 1) & ~(uint64_t)(CACHE_LINE - 1);
}

/* Private memory from mmap: the program may count its own malloc. */
static void *allocate(uint64_t bytes) {
    bytes = rounded_up(bytes);
    if ((uint64_t)(pool.end - pool.at) < bytes) {
        uint64_t size = bytes > POOL_BYTES ? bytes : POOL_BYTES;
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

static const char *reason_of(int error) {
    switch (error) {
    case ENOSPC: return "the disk is full";
    case EACCES: return "not permitted";
    case ENOENT: return "no such folder";
    default: return "failed";
    }
}

/* Report a failure once on stderr and in the header; the program goes on. */
static void complain(const char *what, int error) {
    head->failure = (uint64_t)error;
    if (complained++) return;
    say("looplaw: counts are incomplete: cannot ");
    say(what);
    say(" ");
    say(name);
    say(": ");
    say(reason_of(error));
    say("\n");
}

/* The rank as the launcher of an MPI program puts it into the environment; null outside of MPI. */
static const char *rank(void) {
    static const char *names[] = {
        "PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID",
    };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
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

/* Does a live process write this file, or did this very process write it before exec() or from
 * another library? Either way it must not be overwritten. */
static int in_use(int descriptor) {
    struct header h;
    if (pread(descriptor, &h, sizeof h, 0) != (ssize_t)sizeof h || h.magic != MAGIC) return 0;
    return h.pid == (uint64_t)getpid() || kill((pid_t)h.pid, 0) == 0 || errno == EPERM;
}

/* Open the file that an environment variable names. Each MPI rank appends .rankN; a process that
 * finds the file in use, or was forked, appends .pidN. Returns -1 where none can be opened. */
static int open_file(const char *variable) {
    const char *path = getenv(variable), *r = rank();
    if (!path || !*path || strlen(path) + SUFFIX_BYTES > sizeof name) return -1;
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
    for (uint64_t k = 1; k < MAX_NAMES; k++) {
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
    void *at = mmap(0, HEADER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) abort();
    return at;
}

/* Map the file of counts, or private memory that nobody reads: code that counts needs words to add
 * to, whether or not anybody asked for the counts. */
static void open_counts(void) {
    void *at = MAP_FAILED;
    const char *path = getenv("LOOPLAW_CELLS"), *r = rank();
    int error = 0;
    file = open_file("LOOPLAW_CELLS");
    if (file < 0 && path && *path) error = errno;
    if (file >= 0) {
        if (ftruncate(file, 0) || (error = posix_fallocate(file, 0, HEADER_BYTES))) {
            error = error ? error : errno;
        } else {
            fstat(file, &identity);
            /* less where the process may not have so much address space (ulimit -v) */
            const int access = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_NORESERVE;
            reserved = RESERVED_BYTES;
            while ((at = mmap(0, reserved, access, flags, file, 0)) == MAP_FAILED &&
                   reserved / 4 > HEADER_BYTES)
                reserved /= 4;
            if (at == MAP_FAILED) error = errno;
        }
    }
    if (at == MAP_FAILED) {
        if (file >= 0) close(file);
        file = -1;
        reserved = HEADER_BYTES;
        at = map_anonymous();
    }
    head = at;
    if (error) complain("write", error);
    head->used = HEADER_BYTES;
    head->pid = (uint64_t)getpid();
    head->rank = r ? atoi(r) : -1;
    head->world = world;
    head->last_ns = head->start_ns = now_ns();
    head->last_ticks = head->start_ticks = ticks();
    __atomic_store_n(&head->magic, MAGIC, __ATOMIC_RELEASE);
}

/* Remember how many processes MPI says there are. */
void __looplaw_world(int size) {
    world = (uint64_t)size;
    if (head) head->world = world;
}

/* Try to grow the file to this size. posix_fallocate allocates its blocks now: a full disk is an
 * error here, where it would be a SIGBUS at the first write to a sparse page. */
static int grow(uint64_t size) {
    struct stat now;
    int error = 0;
    if (file < 0 || size > reserved) {
        error = file < 0 ? 0 : ENOMEM;
    } else {
        if (fstat(file, &now) || now.st_ino != identity.st_ino || now.st_dev != identity.st_dev)
            file = open(name, O_RDWR | O_CLOEXEC); /* the program closed all its descriptors */
        error = file < 0 ? errno : posix_fallocate(file, 0, (off_t)size);
        if (!error) return 1;
    }
    if (error) complain("enlarge", error);
    return 0;
}

/* A new block of so many words; in private memory, and counted as lost, where the file is full. */
static struct block *new_block(uint32_t kind, uint64_t unit, uint64_t words) {
    uint64_t bytes = rounded_up(sizeof(struct block) + 8 * words);
    struct block *made;
    int shared = grow(head->used + bytes);
    if (shared) {
        made = (struct block *)((char *)head + head->used);
    } else {
        made = allocate(bytes);
        if (file >= 0) head->lost++;
    }
    made->unit = unit;
    made->bytes = bytes;
    made->kind = kind;
    if (shared) __atomic_store_n(&head->used, head->used + bytes, __ATOMIC_RELEASE);
    return made;
}

/* Write a unit's plan into the file, once for each file. */
static void write_plan(struct unit *unit) {
    if (unit->generation == generation) return;
    unit->index = head->units++;
    unit->generation = generation;
    struct block *plan = new_block(PLAN, unit->index, (unit->plan_bytes + 7) / 8);
    memcpy(plan + 1, unit->plan, unit->plan_bytes);
    plan->used = unit->plan_bytes;
}
