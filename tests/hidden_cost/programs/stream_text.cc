/* The whole text of a stream, copied to look at its length. */
#include <cstdio>
#include <sstream>
#include <string>

std::size_t slow(int n) {
    std::ostringstream out;
    std::size_t longest = 0;
    for (int i = 0; i < n; ++i) {
        out << i << ' ';
        longest = out.str().size(); /* finding: str out */
    }
    return longest;
}

std::size_t fast(int n) {
    std::ostringstream out;
    for (int i = 0; i < n; ++i)
        out << i << ' ';
    return out.str().size();
}

int main() {
    std::printf("%zu %zu\n", slow(3), fast(3));
    return 0;
}
