/* 20000 12 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct table { unsigned *key; int *value; unsigned slots, used; };
static int *at(struct table *t, unsigned key);
static void grow(struct table *t) {
    struct table n = {calloc(2 * t->slots, 4), calloc(2 * t->slots, 4), 2 * t->slots, 0};
    for (unsigned k = 0; k < t->slots; k++) if (t->key[k]) *at(&n, t->key[k]) = t->value[k];
    free(t->key); free(t->value);
    *t = n;
}
static int *at(struct table *t, unsigned key) {
    if (4 * t->used >= 3 * t->slots) grow(t);
    unsigned k = key * 2654435761u & (t->slots - 1);
    while (t->key[k] && t->key[k] != key) k = (k + 1) & (t->slots - 1);
    if (!t->key[k]) { t->key[k] = key; t->used++; }
    return &t->value[k];
}
static unsigned fnv(const unsigned char *s, int n) {
    unsigned h = 2166136261u;
    for (int i = 0; i < n; i++) h = (h ^ s[i]) * 16777619u;
    return h | 1;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    struct table t = {calloc(16, 4), calloc(16, 4), 16, 0};
    unsigned char w[8];
    long s = 0;
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < n; i++) {
            int len = 3 + i % 5, x = i * 31 % 9973;
            for (int k = 0; k < len; k++) { w[k] = 'a' + x % 26; x /= 26; }
            ++*at(&t, fnv(w, len));
        }
    for (unsigned k = 0; k < t.slots; k++) s += (long)t.value[k] * (k & 3);
    printf("%ld %u\n", s, t.used);
    return 0;
}
