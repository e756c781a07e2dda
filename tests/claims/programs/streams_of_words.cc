/* args: 4 3 | 8 2 : streams made of words, read twice, filled twice, in another base */
#include <sstream>
#include <iostream>
#include <string>
template <class T> T parse(const char *t) { std::istringstream is(t); T v; is >> v; return v; }
static int both(std::istream &in) { int a = 0; in >> a; return a; }
int main(int argc, char **argv) {
    double s = 0;
    int n = parse<int>(argv[1]), m = parse<int>(argv[2]);
    for (int i = 0; i < n; i++) {
        s += i;
    }
    for (int i = 0; i < m; i++) {
        s += i;
    }
    std::stringstream ss;
    ss << argv[1] << argv[2];
    int k = 0;
    ss >> k;
    for (int i = 0; i < k; i++) {
        s += i;
    }
    std::stringstream st;
    st << argv[1];
    int q = 2, q2 = 5;
    st >> q;
    st >> q2;
    for (int i = 0; i < q; i++) {
        s += i;
    }
    for (int i = 0; i < q2; i++) {
        s += i;
    }
    std::istringstream in(std::string(argv[1]) + "1");
    int u = 3;
    in >> u;
    for (int i = 0; i < u; i++) {
        s += i;
    }
    std::istringstream two(argv[1]);
    two.str(argv[2]);
    int w = 3;
    two >> w;
    for (int i = 0; i < w; i++) {
        s += i;
    }
    std::istringstream loop(argv[1]);
    int z = 1;
    for (int j = 0; j < 3; j++) {
        z = 1;
        loop >> z;
        for (int i = 0; i < z; i++) {
            s += i;
        }
    }
    std::istringstream hexa(argv[1]);
    hexa >> std::hex >> w;
    for (int i = 0; i < w; i++) {
        s += i;
    }
    std::istringstream c1(argv[1]);
    int e = both(c1), f = both(c1);
    for (int i = 0; i < e; i++) {
        s += i;
    }
    for (int i = 0; i < f; i++) {
        s += i;
    }
    std::istringstream c3(argv[1]);
    char ch; c3 >> ch;
    int g = 4; c3 >> g;
    for (int i = 0; i < g; i++) {
        s += i;
    }
    std::cout << s << "\n";
    return 0;
}
