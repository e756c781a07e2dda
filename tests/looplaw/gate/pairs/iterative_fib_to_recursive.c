// expected: growth
// -- before
long fib(int n) {
    long a = 0, b = 1;
    for (int i = 0; i < n; i++) {
        long t = a+b;
        a = b;
        b = t;
    }
    return a;
}
// -- after
long fib(int n) {
    return n < 2?n:fib(n-1)+fib(n-2);
}
