// args: 1 | 7 | 50
#include <cstdlib>
#include <cstdio>
#include <vector>
template <class T> class Ring {
  std::vector<T> buf_;
  size_t head_ = 0, size_ = 0;

public:
  explicit Ring(size_t cap) : buf_(cap) {
  }
  bool full() const {
    return size_ == buf_.size();
  }
  bool empty() const {
    return size_ == 0;
  }
  void push(const T &t) {
    buf_[(head_ + size_++) % buf_.size()] = t;
  }
  T pop() {
    T t = buf_[head_];
    head_ = (head_ + 1) % buf_.size();
    --size_;
    return t;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Ring<int> r(n);
  int k = 0;
  while (!r.full()) { /* law: n */
    r.push(k++);
  }
  long s = 0;
  while (!r.empty()) { /* law: n */
    s += r.pop();
  }
  std::printf("%ld\n", s);
}
