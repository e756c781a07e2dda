/* A bound for each step of a decoder: the length of what is left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int slow(const char *p) {
    int n = 0;
    while (*p) {
        size_t left = strlen(p); /* finding: strlen p */
        int step = (unsigned char)*p < 0x80 ? 1 : 2;
        p += (size_t)step < left ? (size_t)step : left;
        n++;
    }
    return n;
}

int fast(const char *p) {
    int n = 0;
    const char *end = p + strlen(p);
    while (p < end) {
        int step = (unsigned char)*p < 0x80 ? 1 : 2;
        p += step < end - p ? step : end - p;
        n++;
    }
    return n;
}

int main(void) {
    printf("%d %d\n", slow("abc"), fast("abc"));
    return 0;
}
