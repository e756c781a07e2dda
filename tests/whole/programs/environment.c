/* 5: n=5 | 9: n=9 */
#include <stdio.h>
#include <stdlib.h>

static int setting(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int repeat = setting("REPEAT", 3);
    long s = 0;
    for (int r = 0; r < repeat; r++) { /* repeat */
        for (int i = 0; i < n; i++) { /* n*repeat */
            s += i % 7;
        }
    }
    printf("%ld\n", s);
    return 0;
}
