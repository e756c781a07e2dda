/* args: 3 5 | 8 2 | 12 1 | 0 9 : a stream whose functions are the program's own
   flags: -D_GNU_SOURCE */
#include <stdio.h>
#include <stdlib.h>
struct cookie {
    int n;
};
static int puts_seen;
static ssize_t put(void *c, const char *b, size_t k) {
    ((struct cookie *)c)->n += (int)k;
    puts_seen++;
    return (ssize_t)k;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0;
    struct cookie c = {n};
    FILE *f = fopencookie(&c, "w", (cookie_io_functions_t){.write = put});
    c.n = n;
    puts_seen = m;
    fprintf(f, "hello");
    fclose(f);
    for (int i = 0; i < c.n; i++) {
        s++;
    }
    for (int i = 0; i < puts_seen; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
