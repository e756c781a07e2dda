/* Measures what memory costs on this machine: time for each access, by working set.
 *
 * Reads lines "KIND BYTES STRIDE" from standard input and answers each with "NANOSECONDS" per unit: a line of
 * 64 bytes (read, write, update, stride, fresh), or one load (dependent, independent, page). Each answer is one
 * short sample; the caller asks again until its least values agree, since whatever disturbs a sample only
 * makes it longer (McVoy and Staelin, lmbench, USENIX 1996).
 *
 * read, write, update: as -O3 code without -march streams doubles: 16 bytes an instruction.
 * dependent: a random cycle through all lines, so that no prefetcher knows the next one (Saavedra and
 *   Smith, IEEE Trans. Computers 44, 1995).
 * independent: random lines whose addresses do not depend on loads, so that several misses overlap.
 * stride: every STRIDE-th byte, in order. page: a random cycle through one line of each page.
 * branch: a branch for each of BYTES random bytes, in order and again: a predictor that has met them all before
 *   knows them, as long as it can keep them apart (Yeh and Patt, MICRO 1991; Seznec, JILP 8, 2006). ns a branch.
 * add, divide, integer: operations that wait for one another; multiply, logic: ones that do not. ns an operation; BYTES
 *   and STRIDE do not matter.
 * fresh: the first touch of each page of new memory, as a line's part of it. The system clears the page and
 *   maps it; pages that were given back a moment ago are in the caches as far as they fit.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { LINE = 64, PAGE = 4096, FRESH_AGAIN = 16 << 20, MOST_BRANCHES = 1 << 18 };
static const double SAMPLE_NS = 1.5e6; /* long against a time stamp, short against a time slice */

static volatile double sink;
static volatile uint64_t sink_word;

/* Time of this thread on a processor: what others run in between does not count. */
static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static uint64_t state = 0x9E3779B97F4A7C15u;
static uint64_t draw(void) { /* xorshift64*, Marsaglia 2003 and Vigna 2014 */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du;
}

static double read_pass(const double *a, size_t n) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    for (size_t i = 0; i + 8 <= n; i += 8) {
        s0 += a[i]; s1 += a[i + 1]; s2 += a[i + 2]; s3 += a[i + 3];
        s4 += a[i + 4]; s5 += a[i + 5]; s6 += a[i + 6]; s7 += a[i + 7];
    }
    return s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
}

static void write_pass(double *a, size_t n, double value) {
    for (size_t i = 0; i + 8 <= n; i += 8) {
        a[i] = value; a[i + 1] = value; a[i + 2] = value; a[i + 3] = value;
        a[i + 4] = value; a[i + 5] = value; a[i + 6] = value; a[i + 7] = value;
        __asm__ volatile("" ::: "memory"); /* no memset, whose stores may bypass the caches */
    }
}

static void update_pass(double *a, size_t n) {
    for (size_t i = 0; i + 8 <= n; i += 8) {
        a[i] += 1; a[i + 1] += 1; a[i + 2] += 1; a[i + 3] += 1;
        a[i + 4] += 1; a[i + 5] += 1; a[i + 6] += 1; a[i + 7] += 1;
    }
}

/* A cycle through all places (Sattolo): following it touches each once before any twice. */
static void *cycle(char *base, size_t count, size_t stride, uint32_t *order) {
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    for (size_t i = count - 1; i > 0; i--) {
        size_t j = draw() % i;
        uint32_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (size_t i = 0; i < count; i++) {
        /* one line a page: in another line of each page, or all would share a set of the cache */
        size_t from = order[i] * stride, to = order[(i + 1) % count] * stride;
        if (stride >= PAGE) from += order[i] % (PAGE / LINE) * LINE, to += order[(i + 1) % count] % (PAGE / LINE) * LINE;
        *(void **)(base + from) = base + to;
    }
    return base + order[0] * stride + (stride >= PAGE ? order[0] % (PAGE / LINE) * LINE : 0);
}

static void **follow(void **p, size_t steps) {
    for (size_t k = 0; k < steps; k++) p = (void **)*p;
    return p;
}

static uint64_t scatter(const char *base, uint64_t mask, size_t loads) {
    uint64_t sum = 0, x = draw();
    for (size_t k = 0; k < loads; k++) {
        x = x * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        sum += *(const uint64_t *)(base + ((x >> 24) & mask) * LINE);
    }
    return sum;
}

static uint64_t strided(const char *base, size_t bytes, size_t stride) {
    uint64_t sum = 0;
    for (size_t i = 0; i + 8 <= bytes; i += stride) sum += *(const uint64_t *)(base + i);
    return sum;
}

/* Adds up the places of bytes that are odd; the empty statement keeps the branch from becoming a conditional move. */
static uint64_t branches(const unsigned char *bytes, size_t n) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] & 1) {
            sum += i;
            __asm__ volatile("" : "+r"(sum));
        }
    return sum;
}

enum { OPERATIONS = 4096 };

static double added(double x) {
    for (int k = 0; k < OPERATIONS; k++) {
        x += 1e-9;
        __asm__ volatile("" : "+x"(x));
    }
    return x;
}

static double divided(double x) {
    for (int k = 0; k < OPERATIONS; k++) {
        x = 1.5 / x;
        __asm__ volatile("" : "+x"(x));
    }
    return x;
}

/* Two products a sum: eight sums side by side, so that units and not the way from one to the next are what they wait for. */
static double multiplied(double x) {
    double a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x;
    for (int k = 0; k < OPERATIONS; k += 16) {
        a = a * x + x; b = b * x + x; c = c * x + x; d = d * x + x;
        e = e * x + x; f = f * x + x; g = g * x + x; h = h * x + x;
        __asm__ volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e), "+x"(f), "+x"(g), "+x"(h));
    }
    return a + b + c + d + e + f + g + h;
}

static uint64_t chained(uint64_t x) {
    for (int k = 0; k < OPERATIONS; k++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

static uint64_t logic(uint64_t x) {
    uint64_t a = x, b = x + 1, c = x + 2, d = x + 3;
    for (int k = 0; k < OPERATIONS; k += 8) {
        a ^= x; b += x; c ^= x; d += x;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
        a += x; b ^= x; c += x; d ^= x;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    }
    return a + b + c + d;
}

static int is_operation(const char *kind) {
    return !strcmp(kind, "add") || !strcmp(kind, "divide") || !strcmp(kind, "multiply") ||
           !strcmp(kind, "integer") || !strcmp(kind, "logic");
}

static void operate(const char *kind) {
    switch (kind[0]) {
    case 'a': sink = added(1.0); break;
    case 'd': sink = divided(1.25); break;
    case 'm': sink = multiplied(0.999); break;
    case 'i': sink_word = chained(sink_word | 1); break;
    default: sink_word = logic(sink_word | 1);
    }
}

/* ns a line that new memory takes until the program can use it; below 0: there is none */
static double fresh_cost(size_t bytes) {
    char *a = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (a == MAP_FAILED) return -1;
    double begin = now_ns();
    for (size_t i = 0; i < bytes; i += PAGE) *(volatile char *)(a + i) = 1;
    double end = now_ns();
    munmap(a, bytes);
    return (end - begin) / (double)(bytes / LINE);
}

static double stamp_cost(void) {
    enum { STAMPS = 20000 };
    double begin = now_ns();
    uint64_t sum = 0;
    for (int k = 0; k < STAMPS; k++) {
#if defined(__x86_64__)
        sum += __rdtsc();
#else
        sum += (uint64_t)now_ns();
#endif
    }
    sink_word = sum;
    return (now_ns() - begin) / STAMPS;
}

int main(int argc, char **argv) {
    size_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : (size_t)64 << 20;
    char *base = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t *order = malloc((most / LINE) * sizeof *order);
    unsigned char *bits = malloc(MOST_BRANCHES);
    if (base == MAP_FAILED || order == NULL || bits == NULL) {
        fprintf(stderr, "not enough memory for %zu bytes\n", most);
        return 1;
    }
    for (size_t i = 0; i < MOST_BRANCHES; i++) bits[i] = (unsigned char)(draw() >> 56);
    memset(base, 0, most); /* pages exist before anything is timed */
    char kind[32];
    size_t bytes, stride, cycle_bytes = 0, cycle_stride = 0;
    void **start = NULL;
    while (scanf("%31s %zu %zu", kind, &bytes, &stride) == 3) {
        int branched = strcmp(kind, "branch") == 0;
        if (bytes > (branched ? MOST_BRANCHES : most) || bytes < LINE) {
            fprintf(stderr, "%zu bytes are out of range\n", bytes);
            return 1;
        }
        double *a = (double *)base;
        size_t n = bytes / sizeof *a;
        double units = 0, begin = 0, end = 0;
        if (strcmp(kind, "stamp") == 0) {
            printf("%.6g\n", stamp_cost());
            fflush(stdout);
            continue;
        }
        if (strcmp(kind, "fresh") == 0) {
            /* the first one takes pages that were given back long ago, as the next one does not */
            if (bytes < FRESH_AGAIN) fresh_cost(bytes);
            printf("%.6g\n", fresh_cost(bytes));
            fflush(stdout);
            continue;
        }
        int chased = strcmp(kind, "dependent") == 0 || strcmp(kind, "page") == 0;
        size_t step = strcmp(kind, "page") == 0 ? PAGE : LINE;
        if (chased && (cycle_bytes != bytes || cycle_stride != step)) {
            start = cycle(base, bytes / step, step, order);
            cycle_bytes = bytes;
            cycle_stride = step;
        }
        if (!chased && strcmp(kind, "write") == 0) cycle_bytes = 0;
        if (!chased && strcmp(kind, "update") == 0) cycle_bytes = 0;
        /* The first pass warms; the passes then grow until a sample is long enough. */
        for (size_t passes = 1, first = 1;; first = 0) {
            begin = now_ns();
            if (chased) {
                size_t steps = passes * (bytes / step < 4096 ? 4096 : bytes / step > 200000 ? 200000 : bytes / step);
                start = follow(start, steps);
                sink_word = (uint64_t)(uintptr_t)start;
                units = (double)steps;
            } else if (is_operation(kind)) {
                for (size_t k = 0; k < passes; k++) operate(kind);
                units = (double)passes * OPERATIONS;
            } else if (strcmp(kind, "independent") == 0) {
                size_t loads = passes * 20000;
                sink_word = scatter(base, bytes / LINE - 1, loads);
                units = (double)loads;
            } else if (branched) {
                uint64_t sum = 0;
                for (size_t k = 0; k < passes; k++) sum += branches(bits, bytes);
                sink_word = sum;
                units = (double)passes * (double)bytes;
            } else if (strcmp(kind, "stride") == 0) {
                uint64_t sum = 0;
                for (size_t k = 0; k < passes; k++) sum += strided(base, bytes, stride);
                sink_word = sum;
                units = (double)passes * (double)((bytes + stride - 1) / stride);
            } else {
                double sum = 0;
                for (size_t k = 0; k < passes; k++) {
                    if (kind[0] == 'r') sum += read_pass(a, n);
                    else if (kind[0] == 'w') write_pass(a, n, (double)k);
                    else update_pass(a, n);
                    __asm__ volatile("" ::: "memory");
                }
                sink = sum;
                units = (double)passes * (double)(bytes / LINE);
            }
            end = now_ns();
            if (!first && end - begin >= SAMPLE_NS) break;
            if (end - begin < SAMPLE_NS) {
                double grow = SAMPLE_NS / (end - begin > 100 ? end - begin : 100) * 1.3;
                passes = (size_t)((double)passes * (grow > 1 ? grow : 1)) + 1;
            } else if (end - begin > 20 * SAMPLE_NS) break; /* one pass is long enough to need no warming */
        }
        printf("%.6g\n", (end - begin) / units);
        fflush(stdout);
    }
    return 0;
}
