// expected: nothing
// -- before
int f(const int *a, int n){ int s=0; for(int i=0;i<n;i++) s+=a[i]; return s; }
int g(const char *p, int n){ int s=0; for(int i=0;i<n;i++) s+=p[i]; return s; }
// -- after
int f(const int *a, int n){ int s=0; for(int i=0;i<n;i++) s+=a[i]; return s; }
int g(const char *p, int n){ int s=0; for(int i=0;i<n;i++) for(int j=i;j<i+3;j++) s+=p[j]; return s; }
