// expected: nothing
// -- before
#include <stdlib.h>
#include <string.h>
typedef struct text { size_t len, room; char *at; } text;
int make_room(text *t, size_t more) {
    size_t room = 2 * (t->len + more);
    if (t->room - t->len >= more) return 1;
    char *at = realloc(t->at, room + 1);
    if (!at) return 0;
    t->at = at;
    t->room = room;
    return 1;
}
int append_all(text *t, const char *c, int n) {
    for (int i = 0; i < n; i++) {
        if (!make_room(t, 1)) return 0;
        t->at[t->len++] = c[i];
    }
    return 1;
}
// -- after
#include <stdlib.h>
#include <string.h>
typedef struct text { size_t len, room; char *at; } text;
int make_room(text *t, size_t more) {
    size_t room = 2 * (t->len + more);
    if (t->room - t->len >= more) return 1;
    char *at = malloc(room + 1);
    if (!at) return 0;
    memcpy(at, t->at, t->len + 1);
    free(t->at);
    t->at = at;
    t->room = room;
    return 1;
}
int append_all(text *t, const char *c, int n) {
    for (int i = 0; i < n; i++) {
        if (!make_room(t, 1)) return 0;
        t->at[t->len++] = c[i];
    }
    return 1;
}
