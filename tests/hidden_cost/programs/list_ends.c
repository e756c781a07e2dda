/* Lists and texts to whose ends one walks in several ways. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};
struct queue {
    struct node *head, *tail;
};
static struct node *all;

static struct node *node(int value) {
    struct node *p = malloc(sizeof *p);
    p->value = value;
    p->next = NULL;
    return p;
}

static struct node *last_of(struct node *p) {
    while (p->next)
        p = p->next;
    return p;
}

static void add(struct node **at, int value) {
    while (*at)
        at = &(*at)->next;
    *at = node(value);
}

static void enqueue(struct queue *q, int value) {
    struct node *new = node(value);
    if (q->head)
        last_of(q->head)->next = new;
    else
        q->head = new;
}

static void enqueue_fast(struct queue *q, int value) {
    struct node *new = node(value);
    if (q->head)
        q->tail->next = new;
    else
        q->head = new;
    q->tail = new;
}

static void remove_last(struct node *p) {
    while (p->next->next)
        p = p->next;
    free(p->next);
    p->next = NULL;
}

static int has(const struct node *p, int value) {
    for (; p; p = p->next)
        if (p->value == value)
            return 1;
    return 0;
}

static void append(char *to, const char *from) {
    while (*to)
        to++;
    while ((*to++ = *from++))
        ;
}

static struct node *join(struct node *a, struct node *b) {
    if (!a)
        return b;
    while (a->next)
        a = a->next;
    a->next = b;
    return b;
}

static int pop_front(int *a, int *count) {
    int first = a[0];
    for (int i = 1; i < *count; i++)
        a[i - 1] = a[i];
    --*count;
    return first;
}

void slow(int n, char *text, int *a) {
    struct node *head = node(0), *own = NULL, *seen = NULL;
    struct queue q = {NULL, NULL};
    for (int i = 1; i < n; i++) {
        struct node *p = head;
        while (p->next) /* finding: loop head */
            p = p->next;
        p->next = node(i);
    }
    for (int i = 0; i < n; i++)
        add(&own, i); /* finding: add own */
    for (int i = 0; i < n; i++)
        add(&all, i); /* finding: add all */
    for (int i = 0; i < n; i++)
        enqueue(&q, i); /* finding: enqueue q */
    for (int i = 1; i < n; i++)
        remove_last(head); /* finding: remove_last head */
    for (int i = 0; i < n; i++)
        if (!has(seen, i % 7)) { /* finding: has seen */
            struct node *new = node(i % 7);
            new->next = seen;
            seen = new;
        }
    for (int i = 0; i < n; i++)
        append(text, "ab"); /* finding: append text */
    struct node *first = NULL, *last = NULL;
    for (int i = 0; i < n; i++) {
        last = join(first, node(i)); /* finding: join first */
        if (!first)
            first = last;
    }
    for (int left = n; left > 0;)
        pop_front(a, &left); /* finding: pop_front a */
}

long fast(int n) {
    struct node *head = node(0), *last = head, **end = &all;
    struct queue q = {NULL, NULL};
    long s = 0;
    for (int i = 1; i < n; i++)
        last = last->next = node(i);
    struct node *joined = NULL;
    for (int i = 0; i < n; i++)
        joined = join(joined, node(i));
    for (int i = 0; i < n; i++)
        enqueue_fast(&q, i);
    for (; *end; end = &(*end)->next)
        s++;
    for (struct node *p = head; p; p = p->next)
        for (struct node *o = q.head; o; o = o->next)
            s += p->value * o->value;
    for (struct node *p = head; p; p = p->next)
        if (has(q.head, p->value))
            s++;
    return s;
}

int main(int argc, char **argv) {
    int n = 5, a[5] = {1, 2, 3, 4, 5};
    char text[11] = "";
    slow(n, text, a);
    printf("%s %ld\n", text, fast(n));
    return 0;
}
