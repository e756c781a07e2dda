/* 6000 8 */
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *child[2]; int key; };
static void insert(struct node **at, struct node *n) {
    while (*at) at = &(*at)->child[n->key > (*at)->key];
    *at = n;
}
static int has(const struct node *n, int key) {
    while (n && n->key != key) n = n->child[key > n->key];
    return n != 0;
}
static int height(const struct node *n) {
    if (!n) return 0;
    int a = height(n->child[0]), b = height(n->child[1]);
    return 1 + (a > b ? a : b);
}
static long sum(const struct node *n) {
    long s = 0;
    for (int k = 0; k < 2; k++) if (n->child[k]) s += sum(n->child[k]);
    return s + n->key;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    struct node *all = calloc(n, sizeof *all), *root = 0;
    unsigned st = 6;
    for (int i = 0; i < n; i++) { st = st * 1664525u + 1013904223u; all[i].key = st >> 8; insert(&root, &all[i]); }
    long s = 0;
    for (int r = 0; r < rounds; r++) {
        all[r % n].key ^= 1;
        s += height(root) + sum(root);
        for (int i = 0; i < n; i++) s += has(root, all[i].key + (i & r & 1));
    }
    printf("%ld\n", s);
    return 0;
}
