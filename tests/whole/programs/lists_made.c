/* 5 3: n=5 rounds=3 | 8 2: n=8 rounds=2 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct item {
    char name[16];
    double weight;
    struct item *next;
} item;

typedef struct {
    item *first;
    int size;
} list;

static void *checked_malloc(size_t size) {
    void *p = malloc(size);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

static item *new_item(const char *name, double weight) {
    item *it = checked_malloc(sizeof *it);
    strncpy(it->name, name, 15);
    it->name[15] = 0;
    it->weight = weight;
    it->next = NULL;
    return it;
}

static void add(list *l, const char *name, double weight) {
    item *it = new_item(name, weight);
    it->next = l->first;
    l->first = it;
    l->size++;
}

static double sum(const list *l) {
    double s = 0;
    for (const item *p = l->first; p != NULL; p = p->next) { /* n*rounds */
        s += p->weight;
    }
    return s;
}

static void release(list *l) {
    item *p = l->first;
    while (p != NULL) { /* n + n*rounds */
        item *next = p->next;
        free(p);
        p = next;
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    list *some = checked_malloc(sizeof *some), others = {NULL, 0};
    some->first = NULL;
    some->size = 0;
    for (int i = 0; i < n; i++) { /* n */
        char name[32];
        sprintf(name, "k%d", i);
        add(some, name, i);
    }
    double s = 0;
    for (int r = 0; r < rounds; r++) { /* rounds */
        s += sum(some);
        for (int i = 0; i < n; i++) { /* n*rounds */
            add(&others, "other", r);
        }
    }
    for (const item *p = some->first; p; p = p->next) { /* n */
        for (const item *q = p->next; q; q = q->next) { /* n*(n - 1)/2 */
            s += p->weight * q->weight;
        }
    }
    item *second = some->first->next;
    for (item *p = second; p; p = p->next) { /* n - 1 */
        s += p->weight;
    }
    release(some);
    release(&others);
    free(some);
    printf("%g\n", s);
    return 0;
}
