// expected: growth
// -- before
#include <vector>
struct atom { int from, to; int trim(int by); };

void trim_front(std::vector<atom> &atoms, int by) {
    auto it = atoms.begin();
    while (by > 0 && it != atoms.end()) {
        by -= it->trim(by);
        if (it->from == it->to)
            ++it;
    }
    atoms.erase(atoms.begin(), it);
}
// -- after
#include <vector>
struct atom { int from, to; int trim(int by); };

void trim_front(std::vector<atom> &atoms, int by) {
    auto it = atoms.begin();
    while (by > 0 && it != atoms.end()) {
        by -= it->trim(by);
        if (it->from == it->to)
            it = atoms.erase(it);
    }
}
