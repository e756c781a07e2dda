long work(int n, int m);

long work(int n, int m) {
    long s = 0;
    for (int i = n; i < m; i++) {
        s += i;
    }
    return s;
}
