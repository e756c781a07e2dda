/* A list built, walked and freed. L1: n. L2, L3: n as well, but only the pointers know. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    long s = 0;
    struct node *list = NULL;
    for (int i = 0; i < n; i++) { /* L1 */
        struct node *head = malloc(sizeof *head);
        if (head == NULL)
            exit(EXIT_FAILURE);
        head->value = i;
        head->next = list;
        list = head;
    }
    for (struct node *at = list; at != NULL; at = at->next) { /* L2 */
        s += at->value;
    }
    while (list != NULL) { /* L3 */
        struct node *rest = list->next;
        free(list);
        list = rest;
    }
    printf("%ld\n", s);
    return 0;
}
