/* args: 5 | 0 | 9 : loops over pointers, ends as pointers, lists, arrays in structures */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct Node {
    int value;
    struct Node *next;
};
struct Box {
    int used;
    int items[32];
};
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = atoi(argv[1]);
    if (n < 0 || n > 32) return 2;
    struct Box box;
    memset(&box, 0, sizeof box);
    box.used = n;
    long s = 0;
    for (int *p = box.items; p < box.items + box.used; p++) {
        *p = (int)(p - box.items);
    }
    for (const int *p = box.items, *end = p + n; p != end; ++p) {
        s += *p;
    }
    struct Node *list = NULL;
    for (int i = 0; i < n; i++) {
        struct Node *node = malloc(sizeof *node);
        if (!node) return 1;
        node->value = i;
        node->next = list;
        list = node;
    }
    for (struct Node *at = list; at; at = at->next) {
        s += at->value;
    }
    while (list) {
        struct Node *next = list->next;
        free(list);
        list = next;
    }
    for (const char *c = "constant"; *c; c++) {
        s += *c;
    }
    printf("%ld\n", s);
}
