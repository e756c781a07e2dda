// expected: nothing
// -- before
typedef int (*step)(int);
static step steps[8];
static int used;
static void enter(int i, step f) { steps[i] = f; }
static int twice(int x) { return 2 * x; }
static int half(int x) { return x / 2; }
void setup(int k) { enter(k, twice); enter(k + 1, half); used = k + 2; }
int run(int *a, int m) {
    int s = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < used; j++)
            s += steps[j](a[i]);
    return s;
}
int all(int *a, int m, int k) { setup(k); return run(a, m); }
// -- after
typedef int (*step)(int);
static step steps[8];
static int used;
static void enter(int i, step f) { steps[i] = f; }
static int twice(int x) { return 2 * x; }
static int half(int x) { return x / 2; }
void setup(int k) { enter(k, twice); enter(k + 1, half); used = k + 2; }
int run(int *a, int m) {
    int s = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < used; j++)
            s += 2 * steps[j](a[i]);
    return s;
}
int all(int *a, int m, int k) { setup(k); return run(a, m); }
