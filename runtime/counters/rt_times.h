/* Sampled times of kernels, and the sequence lock that keeps words together.
 *
 * Sequence lock. Counters are single words, written whole, and need no lock. Words that only mean
 * something together (a sum and the number of its samples) are written between begin_change and
 * end_change, which make the block's `sequence` odd and even again. A reader copies the words and
 * takes the copy if the sequence was even and the same before and after (Lameter, "Effective
 * synchronization on Linux/NUMA systems", 2005; for the fences see Boehm, "Can seqlocks get along
 * with programming language memory models?", MSPC 2012). The writer never waits for a reader.
 *
 * Sampling. A time stamp costs more than a short kernel, so only some calls of a function are
 * timed. A function counts down at each call, in a thread-local variable: two instructions. When it
 * falls below zero, __looplaw_turn decides about this call and grants the next PERIOD or so calls in
 * advance: the variable and GRANTED grow by the same amount, so that their difference is the number
 * of calls. LEFT has the variable's value as of the last turn, and when the thread has ended. The
 * timed call stands for all calls up to the next timed one; that number is its WEIGHT. Distances are random, so that samples do not
 * fall into step with the program, and adapt so that stamps come at most once in FASTEST_TICKS. */

enum { TICKS, SAMPLES, SQUARES }; /* words of a timed loop; TICKS are weighted */

#define FASTEST_TICKS 32768      /* stamps that come faster: half as many; 10 us, overhead < 1 % */
#define SLOWEST_TICKS (1u << 20) /* stamps that come slower: twice as many */
#define MAX_PERIOD (1u << 20)    /* calls from one stamp to the next */
#define CLOCK_TICKS (1u << 22)   /* the clock is read again after so many ticks (about 1 ms) */
#define STAMP_TRIALS 16          /* the least of so many is the cost of a time stamp */
#define GOLDEN_RATIO 0x9E3779B97F4A7C15ULL /* 2^64 / phi: Fibonacci hashing (Knuth, TAOCP 3, 6.4) */

/* Make the sequence odd. Returns what end_change needs: loading it there again would wait for the
 * store just made. */
static inline uint64_t begin_change(struct block *b) {
    /* loaded now, not earlier: the handler of a signal may have changed it */
    const uint64_t sequence = __atomic_load_n(&b->sequence, __ATOMIC_RELAXED);
    __atomic_store_n(&b->sequence, sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* odd is visible before the first changed word */
    return sequence;
}

static inline void end_change(struct block *b, uint64_t sequence) {
    __atomic_store_n(&b->sequence, sequence + 2, __ATOMIC_RELEASE);
}

/* An odd sequence seen by the block's own thread: this is the handler of a signal that arrived in
 * the middle of a change. */
static inline int is_changing(const struct block *b) { return b->sequence & 1; }

static inline void add_square(uint64_t *word, uint64_t elapsed) {
    double sum;
    memcpy(&sum, word, sizeof sum);
    sum += (double)elapsed * (double)elapsed;
    memcpy(word, &sum, sizeof sum);
}

static void update_clock(uint64_t now) {
    if (now - head->last_ticks < CLOCK_TICKS) return;
    head->last_ns = now_ns();
    head->last_ticks = now;
}

static uint64_t cost_of_stamp(void) {
    uint64_t least = ~0ULL;
    for (int k = 0; k < STAMP_TRIALS; k++) {
        uint64_t since = ticks(), now = ticks();
        if (now - since < least) least = now - since;
    }
    return least + 1;
}

/* A distance between calls that is `period` in the mean, at least half of it; random for periods of
 * 2 and 3, too, since a loop that makes two calls would else have one of them timed always and the
 * other one never. */
static inline uint64_t random_distance(uint64_t period, uint64_t seed) {
    const uint64_t random = seed * GOLDEN_RATIO >> 32, half = period / 2;
    return period - half + random % (2 * half + 1);
}

/* This call is timed: after how many calls is the next one? */
static uint64_t next_timed(uint64_t *g) {
    if (!head->sample_ticks) head->sample_ticks = cost_of_stamp();
    const uint64_t now = ticks();
    uint64_t period = g[PERIOD] ? g[PERIOD] : 1;
    if (g[LAST] && now - g[LAST] < FASTEST_TICKS && period < MAX_PERIOD) period *= 2;
    else if (now - g[LAST] > SLOWEST_TICKS && period > 1) period /= 2;
    g[PERIOD] = period;
    g[LAST] = now;
    update_clock(now);
    return random_distance(period, g[GRANTED] + now);
}

/* So many more calls until the next turn; *left is -1, so that this call is one of them. */
static inline void grant(uint64_t *g, uint64_t *left, uint64_t calls) {
    g[LEFT] = *left += calls;
    g[GRANTED] += calls;
}

/* What is left of the function just fell below zero: this call is timed. Returns how many calls it
 * stands for, 0 if it is not timed after all. */
__attribute__((cold)) uint64_t __looplaw_turn(uint64_t *words, uint64_t group, uint64_t *left) {
    struct block *b = (struct block *)words - 1;
    uint64_t *g = words + group;
    if (is_changing(b)) return 0; /* calls go on being counted */
    const uint64_t sequence = begin_change(b);
    const uint64_t next = next_timed(g);
    g[WEIGHT] = next;
    grant(g, left, next);
    end_change(b, sequence);
    return next;
}

uint64_t __looplaw_now(void) { return ticks(); }

/* A timed entry of a kernel is over; it began at `since` and stands for `calls` entries. */
__attribute__((cold)) void __looplaw_timed(uint64_t *words, uint64_t loop, uint64_t since,
                                           uint64_t calls) {
    uint64_t elapsed = ticks() - since;
    struct block *b = (struct block *)words - 1;
    uint64_t *t = words + loop;
    if (is_changing(b) || !since) return;
    elapsed -= elapsed < head->sample_ticks ? elapsed : head->sample_ticks;
    const uint64_t sequence = begin_change(b);
    t[TICKS] += elapsed * calls;
    t[SAMPLES]++;
    add_square(t + SQUARES, elapsed);
    end_change(b, sequence);
}
