// vary: n=0:20; exact: 2 of 2
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->next = head;
        head = fresh;
    }
    long s = 0;
    for (struct node *p = head; p; p = p->next) {
        s++;
    }
    printf("%ld\n", s);
    return 0;
}
