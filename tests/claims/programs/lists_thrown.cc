/* args: 4 3 | 8 2 : a list that a handler of exceptions cuts */
#include <cstdio>
#include <cstdlib>

struct node { int v; node *next; };

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    node *head = nullptr;
    for (int i = 0; i < n; i++) {
        node *q = new node;
        q->next = head;
        head = q;
    }
    try {
        if (m > 1) throw head;
    } catch (node *p) {
        p->next = nullptr;
    }
    for (node *p = head; p; p = p->next) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
