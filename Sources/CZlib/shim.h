#include <zlib.h>

/// `inflateInit2` is a macro, which Swift does not see. 31 is the largest window, in a gzip wrapper whose checksum is
/// checked.
static inline int coach_inflate_init_gzip(z_streamp stream) { return inflateInit2(stream, 31); }

/// -15 is the largest window without a wrapper, as in a zip archive.
static inline int coach_inflate_init_raw(z_streamp stream) { return inflateInit2(stream, -15); }

/// `deflateInit2` is a macro as well: the usual memory, in a gzip wrapper.
static inline int coach_deflate_init_gzip(z_streamp stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
}
