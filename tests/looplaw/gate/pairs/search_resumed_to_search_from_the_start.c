// expected: growth
// -- before
#include <string.h>
void blanks(char *s) {
    char *at = s;
    while ((at = strchr(at, ' ')) != NULL) *at++ = '_';
}
// -- after
#include <string.h>
void blanks(char *s) {
    char *at = s;
    while ((at = strchr(s, ' ')) != NULL) *at++ = '_';
}
