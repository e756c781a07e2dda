// expected: nothing
// -- before
#include <string.h>
int count(const char *s, char c) {
    int k = 0;
    for (int i = 0; i < (int)strlen(s); i++) k += s[i] == c;
    return k;
}
int f(const char *s) { return count(s, 'x'); }
// -- after
#include <string.h>
static int is_at(const char *text, int at, char c) { return text[at] == c; }
int f(const char *text) {
    int found = 0, i = 0;
    while (i < (int)strlen(text)) {
        found += is_at(text, i, 'x');
        i++;
    }
    return found;
}
