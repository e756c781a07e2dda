// expected: growth
// -- before
static int a1(const int *a, int n){ int s=0; for(int i=0;i<n;i++) s+=a[i]; return s; }
static int a2(const int *a, int n){ int s=0; for(int i=0;i<n;i++) s-=a[i]; return s; }
static int (*const ops[2])(const int*,int) = { a1, a2 };
int sum(const int *a, int n, int k){ return ops[k&1](a,n); }
int work(const int *a, int n){ int s=0; for(int i=0;i<n;i++) s+=a[i]; return s; }
// -- after
static int a1(const int *a, int n){ int s=0; for(int i=0;i<n;i++) s+=a[i]; return s; }
static int a2(const int *a, int n){ int s=0; for(int i=0;i<n;i++) s-=a[i]; return s; }
static int (*const ops[2])(const int*,int) = { a1, a2 };
int sum(const int *a, int n, int k){ return ops[k&1](a,n); }
int work(const int *a, int n){ int s=0; for(int i=0;i<n;i++) s+=sum(a,n,i); return s; }
