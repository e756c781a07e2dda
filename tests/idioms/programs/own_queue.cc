// args: 4 3 | 8 2 | 5 5
#include <cstdio>
#include <cstdlib>

template <class T>
class Queue {
    struct Node {
        T value;
        Node *next = nullptr;
        explicit Node(T v) : value(v) {}
    };
    Node *head_ = nullptr;
    Node *tail_ = nullptr;
    int size_ = 0;

public:
    void push(T v) {
        Node *q = new Node(v);
        if (tail_)
            tail_->next = q;
        else
            head_ = q;
        tail_ = q;
        ++size_;
    }
    long sum() const {
        long s = 0;
        for (const Node *p = head_; p; p = p->next) { /* law: n*m + n + 2*m */
            s += p->value;
        }
        return s;
    }
    ~Queue() {
        for (Node *p = head_; p;) { /* law: n + m */
            Node *next = p->next;
            delete p;
            p = next;
        }
    }
};

int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    Queue<int> first, second;
    for (int i = 0; i < n; i++) { /* law: n */
        first.push(i);
    }
    for (int i = 0; i < m; i++) { /* law: m */
        second.push(i);
    }
    long s = second.sum();
    for (int i = 0; i < n; i++) { /* law: n */
        s += second.sum();
    }
    s += first.sum() - second.sum();
    std::printf("%ld\n", s);
}
