/* A file that is read from its start for each line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long slow(FILE *f, int n) {
    char line[80];
    long s = 0;
    for (int k = 0; k < n; k++) {
        rewind(f); /* finding: rewind f */
        for (int i = 0; i <= k; i++)
            if (!fgets(line, sizeof line, f))
                return s;
        s += line[0];
    }
    return s;
}

long fast(FILE *f, int n) {
    char line[80];
    long s = 0;
    rewind(f);
    for (int k = 0; k < n; k++) {
        if (!fgets(line, sizeof line, f))
            return s;
        s += line[0];
    }
    return s;
}

int main(void) {
    FILE *f = tmpfile(); fputs("a\nb\n", f); printf("%ld %ld\n", slow(f, 2), fast(f, 2));
    return 0;
}
