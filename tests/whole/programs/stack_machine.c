/* 7: n=7 | 12: n=12 */
#include <stdio.h>
#include <stdlib.h>

struct stack {
    int *data;
    int size, capacity;
};

static void push(struct stack *s, int v) {
    if (s->size == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 4;
        s->data = realloc(s->data, s->capacity * sizeof *s->data);
        if (!s->data) {
            exit(1);
        }
    }
    s->data[s->size++] = v;
}

static int pop(struct stack *s) { return s->data[--s->size]; }

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4;
    struct stack s = {0};
    for (int i = 0; i < n; i++) { /* n */
        push(&s, i);
    }
    int sum = 0;
    while (s.size > 1) { /* n - 1 */
        int a = pop(&s), b = pop(&s);
        push(&s, a + b);
        sum += a;
    }
    printf("%d\n", sum + pop(&s));
    free(s.data);
    return 0;
}
