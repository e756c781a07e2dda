// expected: nothing
// -- before
int stamp(int fd);
long move(int from, int to, long count);
int copy(int from, int to, long size) {
    if (stamp(to) < 0)
        return -1;
    for (struct { long done; } s = {0}; s.done < size;) {
        long n = move(from, to, size - s.done);
        if (n < 0)
            return -1;
        s.done += n;
    }
    return 0;
}
// -- after
int stamp(int fd);
long move(int from, int to, long count);
int copy(int from, int to, long size) {
    stamp(to);
    for (struct { long done; } s = {0}; s.done < size;) {
        long n = move(from, to, size - s.done);
        if (n < 0)
            return -1;
        s.done += n;
    }
    return 0;
}
