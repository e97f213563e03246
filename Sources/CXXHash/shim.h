#include <xxhash.h>
#if defined(__x86_64__)
#define XXH_DISPATCH_DISABLE_REPLACE
#include <xxh_x86dispatch.h>
#endif

/// Begins a streaming XXH3-128 with a key; the key must outlive what is computed with it.
static inline XXH_errorcode dd_xxh3_begin(XXH3_state_t *state, const void *key, size_t count) {
    return XXH3_128bits_reset_withSecret(state, key, count);
}

/// Adds bytes to a streaming XXH3-128 by the widest vector unit of the machine. Debian's library is built for SSE2, so
/// the plain entry point is five times slower on x86_64; other machines have no dispatcher.
static inline XXH_errorcode dd_xxh3_update(XXH3_state_t *state, const void *bytes, size_t count) {
#if defined(__x86_64__)
    return XXH3_128bits_update_dispatch(state, bytes, count);
#else
    return XXH3_128bits_update(state, bytes, count);
#endif
}
