/* args: 4 3 | 8 2 : lists that a handler of exceptions cuts, and who reads an atomic */
#include <atomic>
#include <cstdio>
#include <cstdlib>

struct node { int v; node *next; };
struct kept { int v; kept *next; };

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
    kept *first = nullptr;
    for (int i = 0; i < n; i++) {
        kept *q = new kept;
        q->next = first;
        first = q;
    }
    std::atomic<kept *> shared(first);
    kept *at = shared.load();
    if (m > 1 && at) at->next = nullptr;
    for (kept *p = first; p; p = p->next) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
