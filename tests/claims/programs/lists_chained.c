/* args: 4 3 | 8 2 : nodes chained again, in circles, by pointers to pointers, heads that move */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct late { struct late *next; };
struct same { int v; struct same *next; };
struct node { int v; struct node *next; };
struct cut { struct cut *next; int v; };
static struct late *latest;

static void push(struct node **head, int v) {
    struct node *q = malloc(sizeof *q);
    q->v = v;
    q->next = *head;
    *head = q;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    for (int i = 0; i < n; i++) {
        struct late *q = malloc(sizeof *q), *old = latest;
        q->next = NULL;
        latest = q;
        q->next = i % 2 ? old : NULL;
    }
    for (struct late *p = latest; p; p = p->next) {
        s++;
    }
    struct same *one = malloc(sizeof *one), *all = NULL;
    for (int i = 0; i < n; i++) {
        struct same *q = calloc(1, sizeof *q);
        q->next = all;
        all = i == m ? one : q;
        one->next = NULL;
    }
    for (struct same *p = all; p; p = p->next) {
        s++;
    }
    struct cut *c = NULL;
    for (int i = 0; i < n; i++) {
        struct cut *q = malloc(sizeof *q);
        q->next = c;
        q->v = i;
        c = q;
    }
    struct cut **at = &c;
    while (*at) {
        if ((*at)->v % 2) {
            *at = (*at)->next;
        } else {
            at = &(*at)->next;
        }
    }
    for (struct cut *p = c; p; p = p->next) {
        s++;
    }
    struct node *a = NULL, *b = NULL, *rows[4] = {0}, **row = rows + 1;
    for (int i = 0; i < n; i++) {
        push(&a, i);
        push(i % 3 ? &b : &a, i);
        push(&row[i % 3 - 1], i);
    }
    struct node *both = n > 5 ? a : b;
    for (struct node *p = both; p && p->next; p = p->next->next) {
        s++;
        if (p->v == m) a = a->next;
    }
    for (struct node *p = a; p; p = p->next) {
        s++;
        for (struct node *q = p->next; q && q->v > m; q = q->next) {
            s++;
        }
    }
    for (int k = 0; k < 3; k++) {
        for (struct node *p = rows[k]; p; p = p->next) {
            s++;
        }
    }
    for (struct node *p = rows[0]; p; p = p->next) {
        s++;
    }
    while (a) {
        struct node *q = a;
        a = a->next;
        if (q->v > 1 && s++ % 3) push(&a, q->v - 1);
        free(q);
    }
    printf("%ld\n", s);
    return 0;
}
