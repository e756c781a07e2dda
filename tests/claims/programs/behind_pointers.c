/* args: 3 5 | 8 2 | 12 1 | 0 9 : library functions that write behind a pointer that they read
   flags: -D_GNU_SOURCE */

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
    int key, n;
};
static int cmp(const void *a, const void *b) {
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
static int cmp_r(const void *a, const void *b, void *arg) {
    ++*(int *)arg;
    return *(const int *)a - *(const int *)b;
}
static int touch(const void *a, const void *b) {
    ((struct item *)a)->n = 2;
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0;
    char t[8];
    memset(t, 7, 7);
    t[7] = 0;
    t[2] = ',';
    char *p = t;
    strsep(&p, ",");
    for (int i = 0; i < t[2]; i++) {
        s++;
    }
    char u[8];
    memset(u, 7, 7);
    u[7] = 0;
    u[2] = ',';
    u[4] = ',';
    char *save;
    strtok_r(u, ",", &save);
    u[4] = ',';
    strtok_r(NULL, ",", &save);
    for (int i = 0; i < u[4]; i++) {
        s++;
    }
    char w[8];
    memset(w, 7, 7);
    w[7] = 0;
    w[2] = ',';
    w[4] = ',';
    strtok(w, ",");
    w[4] = ',';
    strtok(NULL, ",");
    for (int i = 0; i < w[4]; i++) {
        s++;
    }
    FILE *f = tmpfile();
    fputs("\3abc\n", f);
    rewind(f);
    char *line = malloc(200);
    size_t cap = 200;
    line[0] = 9;
    if (getline(&line, &cap, f) < 0) {
        return 1;
    }
    for (int i = 0; i < line[0]; i++) {
        s++;
    }
    struct item a = {1, n}, b = {2, m};
    void *root = NULL;
    tsearch(&a, &root, cmp);
    tsearch(&b, &root, cmp);
    struct item key = {1, 0};
    struct item **found = tfind(&key, &root, cmp);
    (*found)->n = 4;
    for (int i = 0; i < a.n; i++) {
        s++;
    }
    int calls = n, d[4] = {4, 3, 2, 1};
    qsort_r(d, 4, sizeof(int), cmp_r, &calls);
    for (int i = 0; i < calls; i++) {
        s++;
    }
    struct item k2 = {5, n}, tab[3] = {{1, 1}, {5, 5}, {9, 9}};
    struct item *hit = bsearch(&k2, tab, 3, sizeof *tab, touch);
    for (int i = 0; i < k2.n; i++) {
        s++;
    }
    hit->n = n;
    for (int i = 0; i < tab[1].n; i++) {
        s++;
    }
    size_t cnt = 3;
    struct item add = {77, m};
    struct item grow[8] = {{1, 1}, {2, 2}, {3, 3}};
    struct item *in = lsearch(&add, grow, &cnt, sizeof add, cmp);
    in->n += 1;
    for (size_t i = 0; i < cnt; i++) {
        s++;
    }
    for (int i = 0; i < grow[3].n; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
