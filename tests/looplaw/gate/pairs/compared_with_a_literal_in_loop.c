// expected: nothing
// -- before
#include <string.h>
extern void take(const char *name, const char *suffix);
void all(char **names, int n, const char *suffix) {
    for (int i = 0; i < n; i++) take(names[i], suffix);
}
// -- after
#include <string.h>
extern void take(const char *name, const char *suffix);
void all(char **names, int n, const char *suffix) {
    for (int i = 0; i < n; i++) take(strcmp(suffix, "stdout") ? names[i] : "-", suffix);
}
