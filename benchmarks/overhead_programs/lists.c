#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; unsigned key; int value; };
static struct node *table[4096];
static struct node *find(unsigned key) {
    for (struct node *p = table[key & 4095]; p; p = p->next)
        if (p->key == key) return p;
    return 0;
}
static int length(const struct node *p) { int n = 0; while (p) { n++; p = p->next; } return n; }
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 + (unsigned char)*s++; return h; }
static struct node *reverse(struct node *p) { struct node *r = 0; while (p) { struct node *n = p->next; p->next = r; r = p; p = n; } return r; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    struct node *pool = malloc(n * sizeof *pool);
    char word[32];
    for (int i = 0; i < n; i++) {
        snprintf(word, sizeof word, "k%d", i);
        pool[i].key = hash(word); pool[i].value = i;
        pool[i].next = table[pool[i].key & 4095]; table[pool[i].key & 4095] = &pool[i];
    }
    long s = 0;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < n; i++) { struct node *p = find(pool[(i * 7919L) % n].key + (i & 1)); if (p) s += p->value; }
        for (int b = 0; b < 4096; b++) { s += length(table[b]); table[b] = reverse(table[b]); }
    }
    printf("%ld\n", s);
    return 0;
}
