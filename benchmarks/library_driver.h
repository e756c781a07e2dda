/* What the driver of a library (library_drivers.py) makes arguments with, and tells them. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROOM = 1 << 17, FILLED = 512 };

static uint64_t driver_state;
static FILE *driver_told;
static sigjmp_buf driver_jump;

static uint64_t driver_random(void) {
    driver_state ^= driver_state >> 12;
    driver_state ^= driver_state << 25;
    driver_state ^= driver_state >> 27;
    return (driver_state * 0x2545F4914F6CDD1DULL) >> 8;
}

static int64_t driver_below(int64_t n) { return (int64_t)(driver_random() % (uint64_t)n); }

/* A small number that so many bits hold; now and then one below zero or a larger one. */
static int64_t driver_number(int bits, int is_signed) {
    int64_t way = driver_below(20), most = bits >= 16 ? 3000 : bits >= 8 ? 100 : 2;
    int64_t value = way < 11 ? driver_below(12) : way < 17 ? driver_below(70) : driver_below(most);
    if (way == 10 && is_signed) value = -driver_below(9);
    return value % most;
}

/* Memory of its own, zero, more than small numbers of elements reach. */
static void *driver_room(void) {
    char *found = calloc(1, 2 * ROOM);
    return found + ROOM / 2;
}

static void driver_put(char *at, int bytes, int64_t value) { memcpy(at, &value, bytes); }

static void *driver_numbers(int bytes, int is_signed) {
    char *found = driver_room();
    int64_t most = driver_below(3) ? 40 : 4, sorted = driver_below(4) == 0, value = 0;
    for (int k = 0; k < FILLED; k++) {
        value = sorted ? value + driver_below(3) : driver_below(most);
        if (is_signed && !sorted && driver_below(9) == 0) value = -value;
        driver_put(found + k * bytes, bytes, value);
    }
    return found;
}

static double driver_real(void) { return (double)(driver_below(4000) - 1000) / 64.0; }

static void *driver_reals(int bytes) {
    char *found = driver_room();
    for (int k = 0; k < FILLED; k++) {
        double wide = driver_real();
        float narrow = (float)wide;
        memcpy(found + k * bytes, bytes == 4 ? (void *)&narrow : (void *)&wide, bytes);
    }
    return found;
}

/* A text of letters, digits and a few signs, or bytes without an order. */
static void *driver_text(void) {
    static const char signs[] = "abcxyzABC0123456789 -+.,:/\"[]{}()\n";
    char *found = driver_room();
    int64_t length = driver_below(48), some = driver_below(3) ? (int64_t)sizeof signs - 1 : 3;
    if (driver_below(4) == 0) {
        for (int k = 0; k < FILLED; k++) found[k] = (char)driver_random();
    } else {
        for (int64_t k = 0; k < length; k++) found[k] = signs[driver_below(some)];
    }
    return found;
}

static void driver_tell(const char *name, int64_t value) {
    fprintf(driver_told, "%s %lld\n", name, (long long)value);
}

static void driver_caught(int number) {
    (void)number;
    siglongjmp(driver_jump, 1);
}

/* Reads values of memory that may not be there. */
static void driver_reads(void (*handler)(int)) {
    signal(SIGSEGV, handler);
    signal(SIGBUS, handler);
}

static char *driver_folder;

/* The counters as they are now, under a name with the number of the call. */
static void driver_keep(const char *name, long seed) {
    char path[4096], bytes[1 << 14];
    size_t read;
    snprintf(path, sizeof path, "%s/%s.%ld", driver_folder, name, seed);
    FILE *from = fopen(getenv("LOOPLAW_CELLS"), "rb"), *to = fopen(path, "wb");
    while (from && to && (read = fread(bytes, 1, sizeof bytes, from)) > 0) fwrite(bytes, 1, read, to);
    if (from) fclose(from);
    if (to) fclose(to);
}

static void driver_limits(char **words) {
    struct rlimit bytes = {1ul << 30, 1ul << 30}, file = {1 << 22, 1 << 22};
    setrlimit(RLIMIT_DATA, &bytes);
    setrlimit(RLIMIT_FSIZE, &file);
    driver_folder = words[4];
}

static void driver_begin(long seed) {
    char path[4096];
    alarm(2);
    driver_state = (uint64_t)seed * 0x9E3779B97F4A7C15ULL + 0x1234567;
    for (int k = 0; k < 8; k++) driver_random();
    snprintf(path, sizeof path, "%s/told.%ld", driver_folder, seed);
    driver_told = fopen(path, "w");
}

/* All arguments are told, and the function is called next. */
static void driver_ready(long seed) {
    driver_tell("ready", 1);
    fflush(driver_told);
    driver_keep("before", seed);
}

static void driver_end(long seed) {
    driver_keep("after", seed);
    driver_tell("done", 1);
    fclose(driver_told);
}
