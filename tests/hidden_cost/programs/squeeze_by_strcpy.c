/* Characters deleted one by one, each by copying the rest of the text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slow(char *s) {
    char *p = s;
    while (*p) {
        if (*p == ' ')
            memmove(p, p + 1, strlen(p)); /* finding: memmove p | strlen p */
        else
            p++;
    }
}

void fast(char *s) {
    char *out = s;
    for (char *p = s; *p; p++)
        if (*p != ' ')
            *out++ = *p;
    *out = 0;
}

int main(void) {
    char a[20] = "a b c", b[20] = "a b c"; slow(a); fast(b); puts(a); puts(b);
    return 0;
}
