// args: 4 3 | 8 2 | 5 5
#include <cstdio>
#include <cstdlib>
#include <utility>

template <class T>
class List {
    struct Node {
        T value;
        Node *next;
        Node(T v, Node *n) : value(v), next(n) {}
    };
    Node *head_ = nullptr;
    int size_ = 0;

public:
    void push_front(T v) {
        head_ = new Node(v, head_);
        ++size_;
    }
    long sum() const {
        long s = 0;
        for (const Node *p = head_; p; p = p->next) { /* law: n*m + n */
            s += p->value;
        }
        return s;
    }
    void swap(List &other) {
        std::swap(head_, other.head_);
        std::swap(size_, other.size_);
    }
    int size() const { return size_; }
    ~List() {
        while (head_) { /* law: n + m */
            Node *next = head_->next;
            delete head_;
            head_ = next;
        }
    }
};

int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    List<int> a, b;
    for (int i = 0; i < n; ++i) { /* law: n */
        a.push_front(i);
    }
    for (int i = 0; i < m; ++i) { /* law: m */
        b.push_front(i);
    }
    long s = 0;
    for (int i = 0; i < m; ++i) { /* law: m */
        s += a.sum();
    }
    a.swap(b);
    s += b.sum();
    std::printf("%ld %d\n", s, a.size());
    return 0;
}
