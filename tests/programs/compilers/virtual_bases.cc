/* args: 5 3 | 0 0 | 9 2 : virtual bases, pure virtual functions, calls through references */
#include <cstdio>
#include <cstdlib>
struct Base {
    int n;
    explicit Base(int k) : n(k) {}
    virtual ~Base() = default;
    virtual long run(int m) = 0;
};
struct Left : virtual Base {
    Left() : Base(1) {}
    long left(int m) {
        long s = 0;
        for (int i = 0; i < m; i++) {
            s += i;
        }
        return s;
    }
};
struct Right : virtual Base {
    Right() : Base(2) {}
    long run(int m) override {
        long s = 0;
        for (int i = m; i > 0; i--) {
            s += i;
        }
        return s;
    }
};
struct Both final : Left, Right {
    explicit Both(int k) : Base(k) {}
    long run(int m) override {
        long s = Right::run(m) + left(m);
        for (int i = 0; i < n; i += 2) {
            s ^= i;
        }
        return s;
    }
};
static long twice(Base &b, int m) {
    return b.run(m) + b.run(m + 1);
}
int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    Both both(n);
    long s = twice(both, m);
    for (int i = 0; i < n; i++) {
        s += both.left(i);
    }
    std::printf("%ld\n", s);
}
