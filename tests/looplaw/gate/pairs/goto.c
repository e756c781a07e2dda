// expected: nothing
// -- before
int f(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += i*s;
    return s;
}
// -- after
int f(int n) {
    int s = 0, i = 0;
    again:if (i < n) {
        s += i*s;
        i++;
        goto again;
    }
    return s;
}
