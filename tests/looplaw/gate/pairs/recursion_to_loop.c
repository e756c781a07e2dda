// expected: nothing
// -- before
int f(int n) {
    return n <= 0?0:n+f(n-1);
}
// -- after
int f(int n) {
    int s = 0;
    while (n > 0) {
        s += n;
        n--;
    }
    return s;
}
