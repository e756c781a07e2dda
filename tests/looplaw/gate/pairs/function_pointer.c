// expected: growth or undecided
// -- before
typedef int (*op)(int);
static int one(int x) {
    return x+1;
}
int ap(op o, int n) {
    int r = 0;
    for (int i = 0; i < n; i++) r += o(i);
    return r;
}
int f(int n) {
    return ap(one, n);
}
// -- after
typedef int (*op)(int);
static int one(int x) {
    int s = 0;
    for (int i = 0; i < x; i++) s += i;
    return s;
}
int ap(op o, int n) {
    int r = 0;
    for (int i = 0; i < n; i++) r += o(i);
    return r;
}
int f(int n) {
    return ap(one, n);
}
