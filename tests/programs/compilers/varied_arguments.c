/* args: 5 3 | 0 0 | 9 4 : variable arguments, compound literals, structures by value, statement expressions */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
struct Box3 {
    int x, y, z;
};
static long total(int count, ...) {
    va_list list;
    va_start(list, count);
    long s = 0;
    for (int i = 0; i < count; i++) {
        s += va_arg(list, int);
    }
    va_end(list);
    return s;
}
static long volume(struct Box3 b) {
    long s = 0;
    for (int i = 0; i < b.x; i++) {
        for (int j = 0; j < b.y; j++) {
            for (int k = 0; k < b.z; k++) {
                s++;
            }
        }
    }
    return s;
}
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    long s = total(3, n, m, 1) + volume((struct Box3){n, m, 2});
    struct Box3 b = {.x = m, .z = n};
    s += volume(b);
    for (int i = 0; i < ({ int t = n + m; t > 4 ? t : 4; }); i++) {
        s++;
    }
    for (int i = 0; i < (n ?: 2); i++) {
        s++;
    }
    printf("%ld\n", s);
}
