/* All places of a word replaced, each found from the start. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int slow(char *text, const char *word) {
    int n = 0;
    char *p;
    while ((p = strstr(text, word))) { /* finding: strstr text */
        *p = '#';
        n++;
    }
    return n;
}

int fast(char *text, const char *word) {
    int n = 0;
    char *p = text;
    while ((p = strstr(p, word))) {
        *p++ = '#';
        n++;
    }
    return n;
}

int main(void) {
    char a[20] = "abcab", b[20] = "abcab"; printf("%d %d\n", slow(a, "ab"), fast(b, "ab"));
    return 0;
}
