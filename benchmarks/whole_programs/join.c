/* A hash join: a table of n keys is built, 4 n keys are looked up in it, and what matches is summed
 * by group. Called as: join N. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUPS 1024

struct row { uint64_t key, value; };
struct slot { uint64_t key, value; int used; };

static uint64_t state = 88172645463325252ULL;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static uint64_t hashed(uint64_t key) { return key * 0x9E3779B97F4A7C15ULL >> 20; }

static struct row *rows_of(size_t number, uint64_t keys)
{
    struct row *rows = malloc(number * sizeof *rows);
    for (size_t i = 0; i < number; i++)
        rows[i] = (struct row){next() % keys, next() & 0xff};
    return rows;
}

static void build(struct slot *table, uint64_t mask, const struct row *rows, size_t number)
{
    for (size_t i = 0; i < number; i++) {
        uint64_t at = hashed(rows[i].key) & mask;
        while (table[at].used && table[at].key != rows[i].key)
            at = (at + 1) & mask;
        table[at] = (struct slot){rows[i].key, table[at].value + rows[i].value, 1};
    }
}

static uint64_t probe(const struct slot *table, uint64_t mask, const struct row *rows,
                      size_t number, uint64_t *sums)
{
    uint64_t found = 0;
    for (size_t i = 0; i < number; i++) {
        uint64_t at = hashed(rows[i].key) & mask;
        while (table[at].used && table[at].key != rows[i].key)
            at = (at + 1) & mask;
        if (table[at].used) {
            sums[rows[i].value % GROUPS] += table[at].value;
            found++;
        }
    }
    return found;
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? (size_t)atol(argv[1]) : 1000;
    uint64_t size = 2, *sums = calloc(GROUPS, sizeof *sums), total = 0;
    while (size < 2 * n)
        size *= 2;
    struct slot *table = calloc(size, sizeof *table);
    struct row *built = rows_of(n, 2 * n), *probed = rows_of(4 * n, 2 * n);
    build(table, size - 1, built, n);
    uint64_t found = probe(table, size - 1, probed, 4 * n, sums);
    for (int g = 0; g < GROUPS; g++)
        total += sums[g];
    printf("%llu rows, sum %llu\n", (unsigned long long)found, (unsigned long long)total);
    return 0;
}
