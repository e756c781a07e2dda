/* A list to whose end one walks for each new element. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

static struct node *node(int value) {
    struct node *p = malloc(sizeof *p);
    p->value = value;
    p->next = NULL;
    return p;
}

static struct node *append(struct node *head, int value) {
    if (!head)
        return node(value);
    struct node *p = head;
    while (p->next)
        p = p->next;
    p->next = node(value);
    return head;
}

struct node *slow(int n) {
    struct node *head = NULL;
    for (int i = 0; i < n; i++)
        head = append(head, i); /* finding: append head */
    return head;
}

struct node *fast(int n) {
    struct node *head = NULL, **tail = &head;
    for (int i = 0; i < n; i++) {
        *tail = node(i);
        tail = &(*tail)->next;
    }
    return head;
}

int main(void) {
    printf("%d %d\n", slow(3)->value, fast(3)->value);
    return 0;
}
