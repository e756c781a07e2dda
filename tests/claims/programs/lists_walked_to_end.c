/* args: 4 3 | 8 2 | 5 6 | 1 1 : lists to whose ends a program walks, and ways that lose nodes or keep old pointers */
#include <stdio.h>
#include <stdlib.h>

#define NODE(K) \
    struct n##K { \
        struct n##K *next; \
        int v; \
    }
NODE(0); NODE(1); NODE(2); NODE(3); NODE(4); NODE(5); NODE(6); NODE(7); NODE(8); NODE(9);
#define NEW(K, q) \
    struct n##K *q = malloc(sizeof *q); \
    q->next = NULL; \
    q->v = i

static struct n0 *append(struct n0 *head, int i) {
    NEW(0, q);
    if (head == NULL) return q;
    struct n0 *p = head;
    while (p->next != NULL) {
        p = p->next;
    }
    p->next = q;
    return head;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    struct n0 *h0 = NULL;
    for (int i = 0; i < n; i++) {
        h0 = append(h0, i);
    }
    for (struct n0 *p = h0; p; p = p->next) {
        s++;
    }
    struct n1 *h1 = NULL;
    for (int i = 0; i < n; i++) {
        NEW(1, q);
        struct n1 *old = NULL;
        if (!h1) {
            h1 = q;
        } else {
            struct n1 *p = h1;
            while (p->next) p = p->next;
            p->next = q;
            old = h1;
        }
        for (struct n1 *p = old; p; p = p->next) {
            s++;
        }
    }
    struct n2 *h2 = NULL;
    for (int i = 0; i < n; i++) {
        NEW(2, q);
        if (!h2 || i == m) {
            h2 = q;
        } else {
            struct n2 *p = h2;
            while (p->next) p = p->next;
            p->next = q;
        }
    }
    for (struct n2 *p = h2; p; p = p->next) {
        s++;
    }
    struct n3 *h3 = NULL;
    for (int i = 0; i < n; i++) {
        NEW(3, q);
        if (!h3) {
            h3 = q;
        } else {
            struct n3 *p = h3;
            while (p->next) p = p->next;
            p->next = q;
            if (i == m) h3 = q;
        }
    }
    for (struct n3 *p = h3; p; p = p->next) {
        s++;
    }
    struct n4 *h4 = NULL;
    for (int i = 0; i < n; i++) {
        NEW(4, q);
        if (!h4) {
            h4 = q;
        } else {
            struct n4 *p = h4;
            for (int k = 0; k < m && p->next; k++) p = p->next;
            p->next = q;
        }
    }
    for (struct n4 *p = h4; p; p = p->next) {
        s++;
    }
    struct n5 *h5 = NULL, *kept = NULL;
    for (int i = 0; i < n; i++) {
        NEW(5, q);
        if (!h5) {
            h5 = q;
        } else {
            struct n5 *p = h5;
            while (p->next) p = p->next;
            p->next = q;
        }
        if (i == 1) kept = q;
    }
    for (struct n5 *p = kept; p; p = p->next) {
        s++;
    }
    struct n6 *h6 = NULL;
    for (int i = 0; i < n; i++) {
        NEW(6, q);
        if (!h6) {
            h6 = q;
        } else {
            struct n6 *p = h6;
            while (p->next) p = p->next;
            if (i % m) p->next = q;
        }
    }
    for (struct n6 *p = h6; p; p = p->next) {
        s++;
    }
    struct n7 *h7 = NULL;
    for (int i = 0; i < n; i++) {
        NEW(7, q);
        if (!h7) {
            h7 = q;
        } else {
            struct n7 *p = h7;
            while (p->next) p = p->next;
            p->next = q;
        }
        for (struct n7 *p = q; p; p = p->next) {
            s++;
        }
        for (struct n7 *p = h7; p; p = p->next) {
            s++;
        }
    }
    struct n8 *h8 = NULL;
    for (int i = 0; i < n; i++) {
        NEW(8, q);
        for (int k = 0; k < 1 + i % 2; k++) {
            if (!h8) {
                h8 = q;
            } else {
                struct n8 *p = h8;
                while (p->next && p != q) p = p->next;
                if (p != q) p->next = q;
            }
        }
    }
    for (struct n8 *p = h8; p; p = p->next) {
        s++;
    }
    struct n9 *h9 = NULL;
    for (int i = 0; i < n; i++) {
        NEW(9, q);
        if (!h9) {
            h9 = q;
        } else {
            struct n9 *p = h9;
            while (p->next) p = p->next;
            p->next = q;
        }
        if (i % m == 1) h9 = h9->next;
    }
    for (struct n9 *p = h9; p; p = p->next) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
