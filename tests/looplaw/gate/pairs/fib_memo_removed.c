// expected: growth or undecided
// -- before
static long memo[100];
long fib(int n) {
    if (n < 2) return n;
    if (memo[n]) return memo[n];
    return memo[n] = fib(n-1)+fib(n-2);
}
// -- after
long fib(int n) {
    if (n < 2) return n;
    return fib(n-1)+fib(n-2);
}
