/* args: 4 3 | 8 2 | 5 6 : lists filled through a pointer to where the next node goes, and ways that lose nodes */
#include <stdio.h>
#include <stdlib.h>

#define NODE(K) \
    struct n##K { \
        struct n##K *next; \
        int v; \
    }
NODE(0); NODE(1); NODE(2); NODE(3); NODE(4); NODE(5); NODE(6); NODE(7); NODE(8); NODE(9); NODE(10); NODE(11);

static struct n11 *made(int n) {
    struct n11 *head = NULL, **end = &head;
    for (int i = 0; i < n; i++) {
        struct n11 *q = malloc(sizeof *q);
        *end = q;
        end = &q->next;
    }
    *end = NULL;
    return head;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = 0;
    struct n0 *head0 = NULL, **end0 = &head0;
    for (int i = 0; i < n; i++) {
        struct n0 *q = calloc(1, sizeof *q);
        *end0 = q;
        if (i % m == 0) end0 = &q->next;
    }
    for (struct n0 *p = head0; p; p = p->next) {
        s++;
    }
    struct n1 *head1 = NULL, **end1 = &head1;
    for (int i = 0; i < n; i++) {
        struct n1 *q = calloc(1, sizeof *q);
        *end1 = q;
        end1 = &q->next;
        if (i == m) head1 = NULL;
    }
    for (struct n1 *p = head1; p; p = p->next) {
        s++;
    }
    struct n2 *head2 = NULL, **end2 = &head2, **before2 = &head2;
    for (int i = 0; i < n; i++) {
        struct n2 *q = calloc(1, sizeof *q);
        *before2 = q;
        before2 = end2;
        end2 = &q->next;
    }
    for (struct n2 *p = head2; p; p = p->next) {
        s++;
    }
    struct n3 *head3 = NULL;
    for (int k = 0; k < 2; k++) {
        struct n3 **end3 = &head3;
        for (int i = 0; i < n; i++) {
            struct n3 *q = calloc(1, sizeof *q);
            *end3 = q;
            end3 = &q->next;
        }
    }
    for (struct n3 *p = head3; p; p = p->next) {
        s++;
    }
    struct n4 first4 = {NULL, 0}, *last4 = &first4;
    for (int i = 0; i < n; i++) {
        struct n4 *q = calloc(1, sizeof *q);
        last4->next = q;
        last4 = q;
        for (struct n4 *p = q; p; p = p->next) {
            s++;
        }
    }
    for (struct n4 *p = first4.next; p; p = p->next) {
        s++;
    }
    struct n5 first5, *last5 = &first5, *held5 = NULL;
    first5.next = NULL;
    for (int i = 0; i < n; i++) {
        struct n5 *q = calloc(1, sizeof *q);
        last5->next = q;
        last5 = q;
        if (i == 1) held5 = q;
    }
    for (struct n5 *p = held5; p; p = p->next) {
        s++;
    }
    for (struct n5 *p = &first5; p; p = p->next) {
        s++;
    }
    struct n6 *head6 = NULL, **end6 = &head6;
    for (int i = 0; i < n; i++) {
        struct n6 *q = calloc(1, sizeof *q);
        struct n6 *old = head6;
        *end6 = q;
        end6 = &q->next;
        for (struct n6 *p = old; p; p = p->next) {
            s++;
        }
    }
    struct n7 *head7 = NULL, **end7 = &head7;
    for (int i = 0; i < n; i++) {
        struct n7 *q = calloc(1, sizeof *q);
        for (int j = 0; j < m; j++) {
            *end7 = q;
            end7 = &q->next;
            if (j > 0) *end7 = NULL;
            break;
        }
    }
    for (struct n7 *p = head7; p; p = p->next) {
        s++;
    }
    struct n8 *head8 = NULL, **end8 = &head8;
    for (int i = 0; i < n; i++) {
        struct n8 *q = calloc(1, sizeof *q);
        *end8 = q;
        end8 = i == m ? &head8 : &q->next;
    }
    for (struct n8 *p = head8; p; p = p->next) {
        s++;
    }
    struct n9 *head9 = NULL, **end9 = &head9;
    for (int i = 0; i < n; i++) {
        struct n9 *q = calloc(1, sizeof *q);
        *end9 = q;
        end9 = &q->next;
    }
    if (head9) head9 = head9->next;
    for (struct n9 *p = head9; p; p = p->next) {
        s++;
    }
    struct n10 *head10 = NULL, **end10 = &head10;
    for (int i = 0; i < n; i++) {
        struct n10 *q = calloc(1, sizeof *q);
        *end10 = q;
        end10 = &q->next;
    }
    for (struct n10 *p = head10; p; p = p->next) {
        s++;
        if (s % m == 0) p->next = NULL;
    }
    struct n11 *one = made(n), *other = made(m);
    for (struct n11 *p = one; p; p = p->next) {
        s++;
    }
    for (struct n11 *p = other; p; p = p->next) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
