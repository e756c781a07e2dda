/* args: 3 | 5 | 9 : what is done to what `append` and `+=` return */
#include <cstdlib>
#include <string>
#include <vector>
static volatile int t;
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]);
    std::string s(n, 'a');
    s.append("xyz").push_back('c');
    for (size_t i = 0; i < s.length(); i++) {
        t++;
    }
    std::string r(n, 'a');
    r.append("xyz").append("pq");
    for (size_t i = 0; i < r.length(); i++) {
        t++;
    }
    std::string q(n, 'a');
    (q += "xyz") += 'p';
    for (size_t i = 0; i < q.length(); i++) {
        t++;
    }
    std::string &p = q.append(2, 'x');
    p.push_back('c');
    p.clear();
    for (size_t i = 0; i < q.length() + 1; i++) {
        t++;
    }
    std::string u(n, 'a');
    u.assign("abc").insert(0, "x");
    for (size_t i = 0; i < u.length() + 1; i++) {
        t++;
    }
    std::string w = std::move(u.append("tt"));
    w.erase(0, 1).pop_back();
    for (size_t i = 0; i < w.length() + 1; i++) {
        t++;
    }
    for (size_t i = 0; i < u.length() + 1; i++) {
        t++;
    }
}
