/* A list that is read by index. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

static int get(const struct node *p, int at) {
    while (at-- > 0)
        p = p->next;
    return p->value;
}

long slow(const struct node *head, int n) {
    long s = 0;
    for (int i = 0; i < n; i++)
        s += get(head, i); /* finding: get head */
    return s;
}

long fast(const struct node *head) {
    long s = 0;
    for (const struct node *p = head; p; p = p->next)
        s += p->value;
    return s;
}

int main(void) {
    struct node b = {2, NULL}, a = {1, &b}; printf("%ld %ld\n", slow(&a, 2), fast(&a));
    return 0;
}
