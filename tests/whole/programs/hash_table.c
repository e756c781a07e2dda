/* 100 30: n=100 m=30 | 65 2: n=65 m=2 | 64 7: n=64 m=7 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define EMPTY UINT32_MAX

struct table {
    size_t cap;
    size_t used;
    uint32_t *keys;
};

static uint32_t mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    return x;
}

static int table_init(struct table *t, size_t want) {
    t->cap = 1;
    while (t->cap < 2 * want) { /* ceiling(log(2*n, 2)) */
        t->cap <<= 1;
    }
    t->used = 0;
    t->keys = malloc(t->cap * sizeof *t->keys);
    if (t->keys == NULL)
        return -1;
    for (size_t i = 0; i < t->cap; i++) { /* 2**ceiling(log(2*n, 2)) */
        t->keys[i] = EMPTY;
    }
    return 0;
}

static int table_insert(struct table *t, uint32_t key) {
    size_t i = mix(key) & (t->cap - 1);
    while (t->keys[i] != EMPTY) { /* data */
        if (t->keys[i] == key)
            return 0;
        i = (i + 1) & (t->cap - 1);
    }
    t->keys[i] = key;
    t->used++;
    return 1;
}

int main(int argc, char **argv) {
    struct table t;
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    if (table_init(&t, n)) {
        perror("malloc");
        return 1;
    }
    int fresh = 0;
    for (int k = 0; k < n; k++) { /* n */
        fresh += table_insert(&t, (uint32_t)k * 7u);
    }
    int found = 0;
    for (int q = 0; q < m; ++q) { /* m */
        size_t i = mix(q) & (t.cap - 1);
        while (t.keys[i] != EMPTY && t.keys[i] != (uint32_t)q) { /* data */
            i = (i + 1) & (t.cap - 1);
        }
        found += t.keys[i] == (uint32_t)q;
    }
    printf("%zu %d %d\n", t.used, fresh, found);
    free(t.keys);
    return 0;
}
