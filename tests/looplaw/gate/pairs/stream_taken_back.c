// expected: growth
// -- before
#include <stdio.h>
int lines(FILE *f) {
    char line[100];
    int n = 0;
    while (fgets(line, sizeof line, f)) n++;
    return n;
}
// -- after
#include <stdio.h>
int lines(FILE *f) {
    char line[100];
    int n = 0;
    while (fgets(line, sizeof line, f)) {
        long here = ftell(f);
        while (fgets(line, sizeof line, f)) n++;
        fseek(f, here, SEEK_SET);
    }
    return n;
}
