// expected: nothing
// -- before
#include <string.h>
int valid(const char *name) {
    if (strchr(name, '\\'))
        return 0;
    return 1;
}
// -- after
#include <string.h>
int valid(const char *name, size_t length) {
    if (strlen(name) != length)
        return 0;
    if (strchr(name, '\\'))
        return 0;
    return 1;
}
