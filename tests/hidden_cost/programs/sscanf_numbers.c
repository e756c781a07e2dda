/* Numbers read by sscanf from one long text: each call asks for the length of the rest (GTA Online). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long slow(const char *p) {
    long sum = 0;
    int value, used;
    while (sscanf(p, "%d%n", &value, &used) == 1) { /* finding: sscanf p */
        sum += value;
        p += used;
    }
    return sum;
}

long fast(const char *p) {
    long sum = 0;
    for (;;) {
        char *end;
        long value = strtol(p, &end, 10);
        if (end == p)
            return sum;
        sum += value;
        p = end;
    }
}

int main(void) {
    printf("%ld %ld\n", slow("1 2 3"), fast("1 2 3"));
    return 0;
}
