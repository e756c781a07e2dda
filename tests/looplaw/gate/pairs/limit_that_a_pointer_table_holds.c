// expected: growth
// -- before
static int limit = 10; static int *ptrs[] = {&limit};
void setp(int k, int *p){ ptrs[k]=p; }
void set(int k, int v){ *ptrs[k] = v; }
int work(const int *a){ int s=0; for(int i=0;i<limit;i++) s+=a[i]; return s; }
// -- after
static int limit = 10; static int *ptrs[] = {&limit};
void setp(int k, int *p){ ptrs[k]=p; }
void set(int k, int v){ *ptrs[k] = v; }
int work(const int *a){ int s=0; for(int i=0;i<limit;i++) for(int j=0;j<limit;j++) s+=a[i]*j; return s; }
