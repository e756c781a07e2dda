/* Tables of calls: a kernel's calls kept apart by the values that influence them.
 *
 * A thread has a table for each kernel, an open-addressing hash table of `slots` rows (a power of
 * two). A row holds TIMES, SUM_TICKS, SUM_SQUARES, TIMED, then the iterations of each loop, then
 * the values. Nothing is removed, so linear probing needs no tombstones. A table takes in new
 * values until it is three quarters full; later ones are counted in `missed`.
 *
 * Reading a table. A kernel may be called so often that no copy ever falls between two changes. A
 * reader whose copies fail stores 1 to `wanted`. At its next call the writer copies the table into
 * the second half of the block (publish) with `given` as the sequence of that copy: odd while it is
 * being made, larger by two when it is complete. A reader takes the copy when `given` is even, has
 * grown since it asked, and stays the same while it reads. So the writer spends one copy for each
 * request and never waits. */

enum { TIMES, SUM_TICKS, SUM_SQUARES, TIMED, FIXED }; /* words of a row before the iterations */

/* Sampling. Where a kernel is short, telling its calls apart costs more than the kernel. A function
 * may therefore keep some calls only, by the countdown that decides which are timed (rt_times.h). A
 * kernel that has all it takes to keep a call where it ends has a countdown of its own, there.
 * All calls are kept while there are few: FREE_KEPT in a process, and FIRST_KEPT of each function.
 * After that one call is kept for each KEPT_WORK iterations of the function's kernels, as far as
 * the calls kept so far tell how many these are. So every call is kept of a kernel that runs as
 * long, and the price of keeping is bounded by a share of the iterations, whatever the program.
 * Distances are random, but the same in each run. A table whose calls are a sample takes in new
 * values ever more rarely, as it fills: what comes late in a run is represented, too. */

#define FREE_KEPT 192    /* 30,000 instructions, less than it takes to start a process */
#define FIRST_KEPT 8
#define KEPT_WORK 64000  /* iterations; to keep a call takes some 100 to 150 instructions */
#define SPARSE_STEPS 8   /* new rows until a table that is half full takes in half as many */

/* Loops over a kernel's loops and values run two or three times: vectorised, they are slower. */
#define SHORT _Pragma("clang loop vectorize(disable)")

#define MIXER 0xBF58476D1CE4E5B9ULL /* of splitmix64 (Steele, Lea, Flood, OOPSLA 2014) */

static uint64_t *new_table(struct unit *unit, uint64_t table) {
    uint64_t row = unit->table[4 * table], slots = unit->table[4 * table + 1];
    sigset_t before;
    enter(&before);
    struct block *made = new_block(CALLS, unit->index << 32 | table, 2 * row * slots);
    made->row = (uint32_t)row;
    made->slots = (uint32_t)slots;
    made->loops = (uint32_t)unit->table[4 * table + 2];
    leave(&before);
    return (uint64_t *)(made + 1);
}

static inline uint64_t slot_of(const uint64_t *values, uint64_t n) {
    uint64_t h = n ? values[0] * GOLDEN_RATIO : 0;
    SHORT for (uint64_t k = 1; k < n; k++) h = (h ^ h >> 29 ^ values[k]) * MIXER;
    return h >> 32; /* the upper half of a product depends on all bits of the value */
}

static inline int is_row(const uint64_t *row, const uint64_t *own, const uint64_t *values,
                         uint64_t n) {
    if (!row[TIMES]) return 0;
    SHORT for (uint64_t k = 0; k < n; k++)
        if (own[k] != values[k]) return 0;
    return 1;
}

/* May a new row begin, or is the table full, or does another turn come first? */
static inline int may_begin(const struct unit *unit, uint64_t table, struct block *b) {
    const uint64_t half = b->slots / 2;
    if (b->used < half) return 1;
    const int sampled = unit->table[4 * table + 3] != 0;
    const uint64_t stride = sampled ? 1ULL << (b->used - half) / SPARSE_STEPS : 1;
    const int full = b->used >= b->slots / 4 * 3;
    return !((full || sampled) && (++b->missed % stride || full));
}

/* A new row begins with these values. The caller makes the change known. */
static inline void begin_row(struct block *b, uint64_t *own, const uint64_t *values, uint64_t n) {
    b->used++;
    SHORT for (uint64_t k = 0; k < n; k++) own[k] = values[k];
}

/* Begin a new row with these values, if there may be one. */
__attribute__((noinline, cold)) static int admit(const struct unit *unit, uint64_t table,
                                                 struct block *b, uint64_t *own,
                                                 const uint64_t *values, uint64_t n) {
    if (!may_begin(unit, table, b)) return 0;
    const uint64_t sequence = begin_change(b);
    begin_row(b, own, values, n);
    end_change(b, sequence);
    return 1;
}

/* Copy the table behind itself for a reader. */
static void publish(struct block *b) {
    const uint32_t given = __atomic_load_n(&b->given, __ATOMIC_RELAXED);
    const uint64_t bytes = 8ULL * b->row * b->slots;
    uint64_t sequence;
    if (given & 1) return; /* the handler of a signal that arrived in the middle of a copy */
    __atomic_store_n(&b->wanted, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&b->given, given + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    do { /* again if the handler of a signal changed the table meanwhile */
        sequence = __atomic_load_n(&b->sequence, __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        memcpy((char *)(b + 1) + bytes, b + 1, bytes);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    } while (sequence != __atomic_load_n(&b->sequence, __ATOMIC_RELAXED));
    __atomic_store_n(&b->given, given + 2, __ATOMIC_RELEASE);
}

/* The words behind a thread's counters point to its tables, 0 where there is none yet. */
static inline uint64_t **table_of(const struct unit *unit, uint64_t *words, uint64_t table) {
    return (uint64_t **)(words + unit->words + table);
}

/* The row of these values, a new one if there is none; 0 where the call cannot be kept. */
static uint64_t *find_row(struct unit *unit, uint64_t *words, uint64_t table,
                          const uint64_t *from) {
    uint64_t **rows = table_of(unit, words, table);
    if (!*rows) *rows = new_table(unit, table);
    struct block *b = (struct block *)*rows - 1;
    const uint64_t loops = b->loops, n = b->row - FIXED - loops, *values = from + loops;
    if (is_changing(b)) { /* the handler of a signal that arrived in the middle of another call */
        b->missed++;
        return 0;
    }
    if (__atomic_load_n(&b->wanted, __ATOMIC_RELAXED)) publish(b);
    for (uint64_t at = slot_of(values, n);; at++) {
        uint64_t *row = *rows + (at & (b->slots - 1)) * b->row;
        if (is_row(row, row + FIXED + loops, values, n)) return row;
        if (!row[TIMES])
            return admit(unit, table, b, row + FIXED + loops, values, n) ? row : 0;
    }
}

static inline void count_call(uint64_t *row, const uint64_t *from, uint64_t loops) {
    row[TIMES]++;
    SHORT for (uint64_t k = 0; k < loops; k++) row[FIXED + k] += from[k];
}

/* A call that is not in the first row it is looked for in, or whose table must first be made or
 * published. */
__attribute__((noinline, cold)) static void record_slowly(struct unit *unit, uint64_t *words,
                                                          uint64_t table, const uint64_t *from) {
    uint64_t *row = find_row(unit, words, table, from);
    if (!row) return;
    struct block *b = (struct block *)*table_of(unit, words, table) - 1;
    const uint64_t loops = b->loops;
    const uint64_t sequence = begin_change(b);
    count_call(row, from, loops);
    end_change(b, sequence);
}

static inline __attribute__((always_inline)) void record(struct unit *unit, uint64_t *words,
                                                         uint64_t table, const uint64_t *from,
                                                         uint64_t loops, uint64_t n) {
    uint64_t *rows = *table_of(unit, words, table);
    if (__builtin_expect(!rows, 0)) return record_slowly(unit, words, table, from);
    struct block *b = (struct block *)rows - 1;
    const uint64_t *values = from + loops;
    uint64_t *row = rows + (slot_of(values, n) & (b->slots - 1)) * (FIXED + loops + n);
    const int slow = is_changing(b) | __atomic_load_n(&b->wanted, __ATOMIC_RELAXED) ||
                     (row[TIMES] && !is_row(row, row + FIXED + loops, values, n));
    if (__builtin_expect(slow, 0)) return record_slowly(unit, words, table, from);
    const int is_new = !row[TIMES];
    if (is_new && !may_begin(unit, table, b)) return;
    const uint64_t sequence = begin_change(b);
    if (is_new) begin_row(b, row + FIXED + loops, values, n);
    count_call(row, from, loops);
    end_change(b, sequence);
}

/* One entry of a kernel is over; `from` holds the iterations of its loops in this entry, then the
 * values that tell calls apart. */
void __looplaw_call(struct unit *unit, uint64_t *words, uint64_t table, const uint64_t *from) {
    const uint64_t loops = unit->table[4 * table + 2];
    record(unit, words, table, from, loops, unit->table[4 * table] - FIXED - loops);
}

/* The same for a known number of loops and of values, so that the compiler unrolls both loops. */
#define KNOWN(loops, n)                                                        \
    void __looplaw_call_##loops##_##n(struct unit *unit, uint64_t *words,      \
                                      uint64_t table, const uint64_t *from) {  \
        record(unit, words, table, from, loops, n);                            \
    }
#define KNOWN_LOOPS(loops) KNOWN(loops, 1) KNOWN(loops, 2) KNOWN(loops, 3)
KNOWN_LOOPS(1) KNOWN_LOOPS(2) KNOWN_LOOPS(3)

/* The same with its time, unless `since` is 0: this call was not timed. */
void __looplaw_timed_call(struct unit *unit, uint64_t *words, uint64_t table, uint64_t since,
                          const uint64_t *from) {
    const uint64_t elapsed = ticks() - since;
    if (!since) return __looplaw_call(unit, words, table, from);
    uint64_t *row = find_row(unit, words, table, from);
    if (!row) return;
    struct block *b = (struct block *)*table_of(unit, words, table) - 1;
    const uint64_t loops = b->loops;
    const uint64_t sequence = begin_change(b);
    count_call(row, from, loops);
    row[SUM_TICKS] += elapsed;
    add_square(row + SUM_SQUARES, elapsed);
    row[TIMED]++;
    end_change(b, sequence);
}

static uint64_t kept_freely; /* calls, in this process */

/* How many calls until the next one is kept? WORK is that of so many kept calls: where this one has
 * just begun, of one less than were kept. */
static uint64_t next_kept(const uint64_t *g, uint64_t ended) {
    if (g[KEPT] < FIRST_KEPT) return 1;
    const uint64_t free = __atomic_load_n(&kept_freely, __ATOMIC_RELAXED);
    if (free < FREE_KEPT) {
        __atomic_store_n(&kept_freely, free + 1, __ATOMIC_RELAXED);
        return 1;
    }
    const uint64_t mean = g[WORK] / ended + 1;
    const uint64_t period = (KEPT_WORK + mean - 1) / mean; /* rounded up: the price is a bound */
    return period == 1 ? 1 : random_distance(period, g[GRANTED]);
}

/* What is left of a function that keeps some calls just fell below zero: this one, which has ended
 * or just begun, is kept, and timed if its turn has come. Returns how many calls its time stands
 * for, 0 if it is not timed. */
static inline uint64_t kept_turn(uint64_t *words, uint64_t group, uint64_t *left, int timed,
                                 int has_ended) {
    struct block *b = (struct block *)words - 1;
    uint64_t *g = words + group, weight = 0;
    if (is_changing(b)) return 0;
    const uint64_t sequence = begin_change(b);
    const uint64_t call = g[GRANTED] - *left; /* the number of this call, from 1 */
    g[KEPT]++;
    if (timed && call > g[COVERED]) {
        weight = next_timed(g);
        g[COVERED] = call - 1 + weight;
    }
    if (call > g[NEXT_KEPT]) g[NEXT_KEPT] = call - 1 + next_kept(g, g[KEPT] - !has_ended);
    uint64_t until = g[NEXT_KEPT];
    if (timed && g[COVERED] < until) until = g[COVERED];
    grant(g, left, until + 1 - call);
    g[WEIGHT] = weight;
    end_change(b, sequence);
    return weight;
}

__attribute__((cold)) uint64_t __looplaw_kept_turn(uint64_t *words, uint64_t group,
                                                   uint64_t *left, uint64_t timed) {
    return timed ? kept_turn(words, group, left, 1, 0) : kept_turn(words, group, left, 0, 0);
}

/* What is left of a kernel that keeps some calls just fell below zero, where a call of so many
 * iterations ends. Returns whether to keep it. */
__attribute__((cold)) uint64_t __looplaw_kept_end(uint64_t *words, uint64_t group, uint64_t *left,
                                                  uint64_t work) {
    if (is_changing((struct block *)words - 1)) return 0; /* its turn comes at the next end */
    words[group + WORK] += work;
    kept_turn(words, group, left, 0, 1);
    return 1;
}
