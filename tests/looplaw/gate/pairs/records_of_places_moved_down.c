// expected: nothing
// -- before
struct place { const char *function, *file; unsigned short line; };
extern void wake(const struct place *at, int *list, int n);
#define WAKE(list, n) \
    do { \
        static const struct place _ = {__func__, __FILE__, __LINE__}; \
        wake(&_, list, n); \
    } while (0)
#define CHECK(c) if (!(c)) fail("failed: " #c " at " __FILE__ ":" TEXT(__LINE__))
#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
extern void fail(const char *);
void all(int **lists, int n) {
    for (int i = 0; i < n; i++)
        if (lists[i]) {
            CHECK(i < 100);
            WAKE(lists[i],
                 n);
        }
}
int first(int *a) { return a[0]; }
// -- after
struct place { const char *function, *file; unsigned short line; };
extern void wake(const struct place *at, int *list, int n);
#define WAKE(list, n) \
    do { \
        static const struct place _ = {__func__, __FILE__, __LINE__}; \
        wake(&_, list, n); \
    } while (0)
#define CHECK(c) if (!(c)) fail("failed: " #c " at " __FILE__ ":" TEXT(__LINE__))
#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
extern void fail(const char *);

static const char *const NAMES[] = {"none", "one"};
const char *name(int i) { return NAMES[i & 1]; }

void all(int **lists, int n) {
    for (int i = 0; i < n; i++)
        if (lists[i]) {
            CHECK(i < 100);
            WAKE(lists[i],
                 n);
        }
}
int first(int *a) { return a[0]; }
