/* The length of a list, counted at each step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

static int length(const struct node *p) {
    int n = 0;
    for (; p; p = p->next)
        n++;
    return n;
}

void slow(const struct node *head, int *out) {
    for (int i = 0; i < length(head); i++) /* finding: length head */
        out[i] = i;
}

void fast(const struct node *head, int *out) {
    int n = length(head);
    for (int i = 0; i < n; i++)
        out[i] = i;
}

int main(void) {
    int o[4]; struct node b = {2, NULL}, a = {1, &b}; slow(&a, o); fast(&a, o); printf("%d\n", o[1]);
    return 0;
}
