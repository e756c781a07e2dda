/* args: 4 3 | 8 2 : lists reached by integers, by bytes, from elements; read early; not there */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

struct node { int v; struct node *next; };
struct seen { int v; struct seen *next; };
struct zero { int v; struct zero *next; };
struct bytes { int v; struct bytes *next; };
struct row { int v; struct row *next; };
struct list { struct node *head; };
struct pair { struct bytes *first; };
struct table { struct row *before; struct row *rows[4]; };
union holder { struct list *l; uintptr_t bits; };

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    struct seen *all = NULL;
    for (int i = 0; i < n; i++) {
        struct seen *q = calloc(1, sizeof *q);
        struct seen *early = q->next;
        q->next = all;
        all = q;
        for (struct seen *p = early; p; p = p->next) {
            s++;
        }
    }
    for (int i = 0; i < n; i++) {
        struct zero *q = calloc((SIZE_MAX - i) / 2, 100);
        for (struct zero *p = q; p; p = p->next) {
            s++;
        }
    }
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *q = malloc(sizeof *q);
        q->next = head;
        head = q;
    }
    struct list *l = calloc(1, sizeof *l);
    union holder *hs = calloc(m, sizeof *hs);
    l->head = head;
    for (int i = 0; i < m; i++) {
        hs[i].l = l;
    }
    ((struct list *)(hs[m - 1].bits & ~(uintptr_t)1))->head->next = NULL;
    for (struct node *p = head; p; p = p->next) {
        s++;
    }
    struct bytes *first = NULL;
    for (int i = 0; i < n; i++) {
        struct bytes *q = malloc(sizeof *q);
        q->next = first;
        first = q;
    }
    struct pair *mine = malloc(sizeof *mine), *spare = malloc(sizeof *spare);
    mine->first = first;
    spare->first = malloc(sizeof(struct bytes));
    spare->first->next = NULL;
    struct pair **from = malloc(sizeof *from), **to = malloc(sizeof *to);
    *from = mine;
    *to = spare;
    for (int i = 0; i < 8; i++) {
        ((char *)to)[i] = ((char *)from)[i];
    }
    (*to)->first->next = NULL;
    for (struct bytes *p = first; p; p = p->next) {
        s++;
    }
    struct row *one = NULL;
    struct table *t = calloc(1, sizeof *t);
    t->before = malloc(sizeof(struct row));
    t->before->next = NULL;
    for (int i = 0; i < n; i++) {
        struct row *q = malloc(sizeof *q);
        q->next = one;
        one = q;
    }
    t->rows[1] = one;
    struct row **at = &t->rows[m];
    for (int i = 0; i < m; i++) {
        if (at[-1] && at != &t->rows[1]) at[-1]->next = NULL;
        at = i ? &t->rows[(i * 7 + 1) % 4] : &t->rows[argc - 1];
    }
    for (struct row *p = one; p; p = p->next) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
