/* 5 3: n=5 rounds=3 | 8 2: n=8 rounds=2 */
#include <stdio.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

struct word {
    int value;
    struct word *next;
};

static struct item *numbers(int n) {
    struct item *head = NULL, **end = &head;
    for (int i = 0; i < n; i++) { /* n + rounds */
        struct item *q = malloc(sizeof *q);
        if (!q)
            exit(1);
        q->value = i;
        q->next = NULL;
        *end = q;
        end = &q->next;
    }
    return head;
}

static long total(const struct item *head) {
    long s = 0;
    for (; head; head = head->next) { /* n + rounds */
        s += head->value;
    }
    return s;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    long s = total(numbers(n));
    s += total(numbers(rounds));
    struct word first, *last = &first;
    first.next = NULL;
    for (int i = 0; i < n; i++) { /* n */
        if (i % 2)
            continue;
        struct word *q = calloc(1, sizeof *q);
        q->value = i;
        last->next = q;
        last = q;
    }
    for (struct word *p = first.next; p; p = p->next) { /* ceiling(n/2) */
        s += p->value;
    }
    printf("%ld\n", s);
    return 0;
}
