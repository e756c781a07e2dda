/* args: 3 5 | 8 2 | 12 1 | 0 9 : stream buffers of the program's own that the library calls and fills */
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <fstream>
#include <string>
static int written;
class Counting : public std::streambuf {
public:
    int n = 0;
    int *also;
    explicit Counting(int k, int *p) : n(k), also(p) {}

protected:
    int_type overflow(int_type c) override {
        n++;
        *also += 1;
        written++;
        return c;
    }
};
class Chunk : public std::streambuf {
public:
    char room[32] = {};
    Chunk() { setp(room, room + 32); }
};
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    int s = 0, other = m;
    Counting c(n, &other);
    std::ostream os(&c);
    os << "hello";
    for (int i = 0; i < c.n; i++) {
        s++;
    }
    for (int i = 0; i < other; i++) {
        s++;
    }
    written = n;
    os << 'x' << 12;
    for (int i = 0; i < written; i++) {
        s++;
    }
    Chunk k;
    std::ostream to(&k);
    k.room[0] = 9;
    to << '\3';
    for (int i = 0; i < k.room[0]; i++) {
        s++;
    }
    std::istringstream in("7 8 x");
    int a = n, b = m, z = 3;
    in >> a >> b;
    for (int i = 0; i < a; i++) {
        s++;
    }
    in >> z;
    for (int i = 0; i < z; i++) {
        s++;
    }
    std::streambuf *old = std::cout.rdbuf(&c);
    c.n = n;
    std::cout << "abc" << std::flush;
    for (int i = 0; i < c.n; i++) {
        s++;
    }
    std::cout.rdbuf(old);
    char buf[64];
    buf[0] = 11;
    std::filebuf fb;
    fb.pubsetbuf(buf, 64);
    fb.open("/dev/null", std::ios::out);
    buf[0] = 11;
    fb.sputc('\2');
    fb.sputc('\2');
    for (int i = 0; i < buf[0]; i++) {
        s++;
    }
    std::printf("%d\n", s);
}
