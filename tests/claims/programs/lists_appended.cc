/* args: 4 3 | 8 2 | 5 6 : lists that nodes are appended to, held, cut, shared and emptied by halves */
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <int K>
struct Node {
    int v;
    Node *next;
};

template <int K>
struct Queue {
    Node<K> *head, *tail;
    void push(int v) {
        Node<K> *q = (Node<K> *)malloc(sizeof *q);
        q->v = v;
        q->next = nullptr;
        if (tail) tail->next = q;
        else head = q;
        tail = q;
    }
    int take() {
        Node<K> *q = head;
        head = q->next;
        if (!head) tail = nullptr;
        return q->v;
    }
    int take_three() {
        Node<K> *q = head;
        take();
        if (head) take();
        head = q->next;
        if (!head) tail = nullptr;
        return q->v;
    }
};

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), k = 0;
    long s = 0;
    Queue<0> held = {};
    for (int i = 0; i < n; i++) held.push(i);
    Node<0> *first = held.head, *last = held.tail;
    for (int i = 0; i < m; i++) held.push(i);
    for (Node<0> *p = first; p; p = p->next) {
        s += p->v;
    }
    for (Node<0> *p = last; p; p = p->next) {
        s += p->v;
    }
    Queue<1> walked = {};
    for (int i = 0; i < n; i++) walked.push(i);
    for (Node<1> *p = walked.head; p; p = p->next) {
        if (k++ < m) walked.push(k);
    }
    Queue<2> cut = {};
    for (int i = 0; i < n; i++) cut.push(i);
    while (cut.head) {
        cut.head = cut.head->next;
    }
    for (int i = 0; i < m; i++) cut.push(i);
    for (Node<2> *p = cut.head; p; p = p->next) {
        s += p->v;
    }
    Queue<3> halved = {};
    for (int i = 0; i < n; i++) halved.push(i);
    halved.tail = nullptr;
    for (int i = 0; i < m; i++) halved.push(i);
    for (Node<3> *p = halved.head; p; p = p->next) {
        s += p->v;
    }
    memset(&halved, 0, sizeof halved.head);
    for (int i = 0; i < m; i++) halved.push(i);
    for (Node<3> *p = halved.head; p; p = p->next) {
        s += p->v;
    }
    Queue<4> one = {}, other = {};
    for (int i = 0; i < n; i++) one.push(i);
    other = one;
    for (int i = 0; i < m; i++) other.push(i);
    for (Node<4> *p = one.head; p; p = p->next) {
        s += p->v;
    }
    Node<5> *head = nullptr, *tail = nullptr;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            Node<5> *q = (Node<5> *)calloc(1, sizeof *q);
            if (tail) tail->next = q;
            else head = q;
            if (j == m - 1) tail = q;
        }
    }
    for (Node<5> *p = head; p; p = p->next) {
        s += p->v;
    }
    Node<6> *begin = nullptr, *end = nullptr;
    for (int i = 0; i < n; i++) {
        Node<6> *before = begin, *q = (Node<6> *)calloc(1, sizeof *q);
        if (begin) end->next = q;
        else begin = q;
        end = q;
        for (Node<6> *p = before; p; p = p->next) {
            s++;
        }
    }
    Queue<7> taken = {};
    for (int i = 0; i < n; i++) taken.push(i);
    for (int i = 0; i < 2 && taken.head; i++) {
        s += taken.take_three();
    }
    for (int i = 0; i < m; i++) taken.push(i);
    for (Node<7> *p = taken.head; p; p = p->next) {
        s += p->v;
    }
    Node<8> *top = nullptr, *bottom = nullptr;
    for (int i = 0; i < n; i++) {
        Node<8> *old = nullptr, *q = (Node<8> *)calloc(1, sizeof *q);
        if (top) {
            bottom->next = q;
            old = top;
        } else {
            top = q;
        }
        bottom = q;
        for (Node<8> *p = old; p; p = p->next) {
            s++;
        }
    }
    printf("%ld %d\n", s, k);
    return 0;
}
