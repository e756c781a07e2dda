/* 5 4: n=5 rounds=4 | 9 2: n=9 rounds=2 */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *push(struct node *head, int value) {
    struct node *p = malloc(sizeof *p);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    p->value = value;
    p->next = head;
    return p;
}

static long total(const struct node *head) {
    long s = 0;
    for (const struct node *p = head; p != NULL; p = p->next) { /* n*rounds */
        s += p->value;
    }
    return s;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s n rounds\n", argv[0]);
        return 1;
    }
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    struct node *head = NULL;
    for (int i = 0; i < n; i++) { /* n */
        head = push(head, i);
    }
    long s = 0;
    for (int r = 0; r < rounds; r++) { /* rounds */
        s += total(head);
    }
    while (head) { /* n */
        struct node *next = head->next;
        free(head);
        head = next;
    }
    printf("%ld\n", s);
    return 0;
}
