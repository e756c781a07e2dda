// vary: n=-1:17 m=0:9; virtual functions, hints, templates and references, without the library
extern "C" int atoi(const char *);

struct Shape {
  virtual ~Shape() {}
  virtual long work(int n) const = 0;
};

struct Line : Shape {
  long work(int n) const override {
    long s = 0;
    for (int i = 0; i < n; i++) s += i;
    return s;
  }
};

struct Square final : Shape {
  Line line;
  long work(int n) const override {
    long s = 0;
    for (int i = 0; i < n; i++) s += line.work(i);
    return s;
  }
};

template <class T, int Step>
T strided(T n, T &sum) {
  for (T i = 0; i < n; i += Step) sum += i;
  return sum;
}

int main(int argc, char **argv) {
  if (__builtin_expect(argc != 3, 0)) return 2;
  int n = atoi(argv[1]), m = atoi(argv[2]), sum = 0;
  Square square;
  const Shape *shape = &square;
  long s = 0;
  for (int i = 0; i < m; i++) s += square.work(n);
  if (__builtin_expect(shape != nullptr, 1)) s += strided<int, 3>(n, sum);
  return s < 0;
}
