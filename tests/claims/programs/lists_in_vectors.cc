/* args: 8 | 0 | 1 | 5 : a list that is cut by a node found in a vector */
#include <stdio.h>
#include <stdlib.h>
#include <vector>
struct node {
    struct node *next;
};
int main(int argc, char **argv) {
    long s = 0;
    int n = atoi(argv[1]);
    struct node *head = 0;
    for (int i = 0; i < n; i++) {
        struct node *q = new node;
        q->next = head;
        head = q;
    }
    std::vector<struct node *> rows(2);
    rows.push_back(head);
    struct node *at = rows.at(2);
    if (at) at->next = at->next ? at->next->next : 0;
    for (struct node *p = head; p; p = p->next) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
