/* Entries of loops, for `looplaw verify`: each distinct combination of iterations and values, and
 * how often it was seen.
 *
 * They go to a file of their own, read when the program has ended: a header, then for each loop a
 * word with the entries left out and a hash table of combinations (times, iterations, states,
 * values). All threads share a table under one lock; verification may be slow. */

#define ENTRIES_MAGIC 0x31544E4557414C4CULL /* "LLAWENT1" */

struct table {
    uint64_t words, slots, used, turn, stride, *missed, *rows;
};

/* The instrumentation defines these where entries are recorded: the number of loops, and for each
 * the words of a row and the number of rows. */
extern const uint64_t __looplaw_probes __attribute__((weak));
extern const struct { uint64_t words, slots; } __looplaw_probe[] __attribute__((weak));

static void open_entries(void) {
    uint64_t bytes = HEADER_BYTES, *at;
    if (!&__looplaw_probes || !__looplaw_probes || !getenv("LOOPLAW_ENTRIES")) return;
    for (uint64_t k = 0; k < __looplaw_probes; k++)
        bytes += 8 * (1 + __looplaw_probe[k].words * __looplaw_probe[k].slots);
    int descriptor = open_file("LOOPLAW_ENTRIES");
    int error = descriptor < 0 ? errno : posix_fallocate(descriptor, 0, (off_t)bytes);
    at = error ? MAP_FAILED
               : mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (descriptor >= 0) close(descriptor);
    if (at == MAP_FAILED) {
        complain("write", error ? error : errno);
        return;
    }
    at[0] = ENTRIES_MAGIC;
    at[1] = __looplaw_probes;
    at += HEADER_BYTES / 8;
    struct table *made = allocate(__looplaw_probes * sizeof *made);
    for (uint64_t k = 0; k < __looplaw_probes; k++) {
        uint64_t words = __looplaw_probe[k].words, slots = __looplaw_probe[k].slots;
        made[k] = (struct table){words, slots, 0, 0, 1, at, at + 1};
        at += 1 + words * slots;
    }
    tables = made;
}

/* May one more combination enter? All until the table is half full; then every `stride`-th, with
 * the stride doubled for each 64th of the table that fills, so that what comes late in a run is
 * still represented; none when it is three quarters full. */
static int admits(struct table *t) {
    if (t->used < t->slots / 2) return 1;
    if (t->used >= t->slots / 4 * 3 || ++t->turn < t->stride) return 0;
    t->turn = 0;
    if (t->used % (t->slots / 64 + 1) == 0) t->stride *= 2;
    return 1;
}

/* One entry of the loop `id` is over. `states` has two bits for each value: none, known, or changed
 * since it was first seen. */
void __looplaw_entry(uint64_t id, uint64_t iterations, uint64_t states, const uint64_t *values) {
    if (!head) {
        pthread_once(&once, start);
        pthread_mutex_lock(&lock);
        open_files();
        pthread_mutex_unlock(&lock);
    }
    if (!tables) return;
    struct table *t = &tables[id];
    uint64_t n = t->words - 3, h = (iterations ^ states << 7) * GOLDEN_RATIO, at;
    for (uint64_t k = 0; k < n; k++) h = (h ^ h >> 29 ^ values[k]) * MIXER;
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
