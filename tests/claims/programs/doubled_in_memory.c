/* args: 5 | 1000 | 1 | 2147483648 | 2147483647 : capacities that are doubled in memory, as far as they fit */
#include <stdlib.h>
static volatile int steps;
struct table {
    unsigned cap;
    int size;
};
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 10);
    struct table *t = malloc(sizeof *t);
    t->cap = 1;
    while (t->cap < n) {
        t->cap *= 2;
    }
    for (unsigned long i = 0; i < t->cap; i += 100000000) {
        steps++;
    }
    t->size = 3;
    for (int i = 0; i < 6; i++) {
        t->size <<= 1;
    }
    for (int i = 0; i < t->size; i++) {
        steps++;
    }
    free(t);
}
