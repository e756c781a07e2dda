// expected: nothing
// -- before
#include <string.h>
typedef struct parser {
    struct { const char **start, **end, **top; } names;
} parser;
int find(parser *p, const char *name) {
    for (const char **at = p->names.start; at != p->names.top; at++)
        if (strcmp(*at, name) == 0) return (int)(at - p->names.start);
    return -1;
}
// -- after
#include <string.h>
typedef struct log { struct { int *start, *end, *top; } lines; } log_t;
typedef struct parser {
    struct { const char **start, **end, **top; } names;
} parser;
static int added(log_t *log, int at) {
    if (log->lines.top == log->lines.end) return -1;
    *log->lines.top++ = at;
    return at;
}
int find(parser *p, const char *name, log_t *log) {
    for (const char **at = p->names.start; at != p->names.top; at++)
        if (strcmp(*at, name) == 0) return added(log, (int)(at - p->names.start));
    return -1;
}
