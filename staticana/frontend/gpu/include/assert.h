// No include guard: as every assert.h. That it holds is taken for granted on either side.
#undef assert
#define assert(condition) ((void)(condition))
#ifndef __cplusplus
#define static_assert _Static_assert
#endif
