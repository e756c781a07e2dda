// expected: growth
// -- before
int f(int n) {
    return n < 2?1:1+f(n/2);
}
// -- after
int f(int n) {
    return n < 2?1:1+f(n-1);
}
