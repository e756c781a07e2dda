/* 5 3: n=5 rounds=3 | 8 2: n=8 rounds=2 */
#include <stdio.h>
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

static struct item *put(struct item *head, int value) {
    struct item *q = malloc(sizeof *q);
    q->value = value;
    q->next = NULL;
    if (head == NULL)
        return q;
    struct item *p = head;
    while (p->next != NULL) { /* (n - 1)*(n - 2)/2 */
        p = p->next;
    }
    p->next = q;
    return head;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    long s = 0;
    struct item *head = NULL;
    for (int i = 0; i < n; i++) { /* n */
        head = put(head, i);
    }
    for (int r = 0; r < rounds; r++) { /* rounds */
        for (struct item *p = head; p; p = p->next) { /* n*rounds */
            s += p->value;
        }
    }
    printf("%ld\n", s);
    return 0;
}
