/* 4: depth=4 | 6: depth=6 */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int weight[3];
    struct node *left, *right;
};

static struct node *grow(int depth) {
    if (depth == 0) {
        return NULL;
    }
    struct node *p = malloc(sizeof *p);
    if (!p) {
        exit(1);
    }
    for (int k = 0; k < 3; k++) { /* 3*(2**depth - 1) */
        p->weight[k] = depth + k;
    }
    p->left = grow(depth - 1);
    p->right = grow(depth - 1);
    return p;
}

static long sum(const struct node *p) {
    if (!p) {
        return 0;
    }
    long s = 0;
    for (int k = 0; k < 3; k++) { /* calls*each */
        s += p->weight[k];
    }
    return s + sum(p->left) + sum(p->right);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        return 1;
    }
    int depth = atoi(argv[1]);
    printf("%ld\n", sum(grow(depth)));
    return 0;
}
