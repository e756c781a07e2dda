// expected: nothing
// -- before
#include <string.h>
struct text { size_t length; const char *data; };
long result_of(void *connection);
const char *text_of(long result);
char *take(void *pool, size_t size);
int verified(void *connection, void *pool, struct text *s) {
    s->data = result_of(connection) ? "FAILED" : "SUCCESS";
    s->length = 7;
    return 0;
}
// -- after
#include <string.h>
struct text { size_t length; const char *data; };
long result_of(void *connection);
const char *text_of(long result);
char *take(void *pool, size_t size);
int verified(void *connection, void *pool, struct text *s) {
    long result = result_of(connection);
    if (result == 0) {
        s->data = "SUCCESS";
        s->length = 7;
        return 0;
    }
    const char *why = text_of(result);
    s->length = strlen(why);
    char *copy = take(pool, s->length);
    if (!copy)
        return 1;
    memcpy(copy, why, s->length);
    s->data = copy;
    return 0;
}
