// args: 1 | 4 | 10
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>
class Account {
  long balance_ = 0;
  static int created_;

public:
  Account() { ++created_; }
  void deposit(long v) {
    if (v < 0) throw std::invalid_argument("negative");
    balance_ += v;
  }
  long balance() const { return balance_; }
  static int created() { return created_; }
};
int Account::created_ = 0;
class Bank {
  std::unordered_map<int, Account> accounts_;
  std::vector<long> log_;

public:
  void open(int id) { accounts_.emplace(id, Account()); }
  void pay(int id, long v) {
    accounts_.at(id).deposit(v);
    log_.push_back(v);
  }
  long audit() const {
    long s = 0;
    for (long v : log_) { /* law: parametric */
      s += v;
    }
    for (const auto &[id, a] : accounts_) { /* law: n */
      s -= a.balance() + id;
    }
    return s;
  }
};
int main(int argc, char **argv) {
  int n = std::atoi(argv[1]);
  Bank bank;
  for (int i = 0; i < n; ++i) { /* law: n */
    bank.open(i);
  }
  int failures = 0;
  for (int i = 0; i < 2 * n; ++i) { /* law: 2*n */
    try {
      bank.pay(i, i - 2);
    } catch (const std::exception &e) {
      ++failures;
    }
  }
  std::vector<std::string> names;
  for (int i = 0; i < Account::created(); ++i) { /* law: n */
    names.emplace_back("account");
  }
  std::printf("%ld %d %zu\n", bank.audit(), failures, names.size());
}
