#include <dlfcn.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdlib.h>
#include <string.h>

/// The functions of GnuTLS that are used, to verify signatures and to make those of results. libmicrohttpd brings it along; it is not
/// linked, and opened when somebody signs in with a provider, or signs or verifies a result.
typedef struct {
  __typeof__(gnutls_pubkey_init) *pubkey_init;
  __typeof__(gnutls_pubkey_deinit) *pubkey_deinit;
  __typeof__(gnutls_pubkey_import_rsa_raw) *pubkey_import_rsa_raw;
  __typeof__(gnutls_pubkey_import_ecc_raw) *pubkey_import_ecc_raw;
  __typeof__(gnutls_pubkey_verify_data2) *pubkey_verify_data2;
  __typeof__(gnutls_encode_rs_value) *encode_rs_value;
  __typeof__(gnutls_privkey_init) *privkey_init;
  __typeof__(gnutls_privkey_deinit) *privkey_deinit;
  __typeof__(gnutls_privkey_import_x509_raw) *privkey_import_x509_raw;
  __typeof__(gnutls_privkey_export_ecc_raw) *privkey_export_ecc_raw;
  __typeof__(gnutls_privkey_sign_data2) *privkey_sign_data2;
  /// What releases memory that it made; a variable of the library.
  void (**free)(void *);
} coach_gnutls;

/// Opens GnuTLS, which stays open; 0 when it is not there, or lacks a function.
static inline int coach_gnutls_open(coach_gnutls *library) {
  void *handle = dlopen("libgnutls.so.30", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
#define COACH_GNUTLS_FIND(name) \
  *(void **)&library->name = dlsym(handle, "gnutls_" #name); \
  if (!library->name) return 0
  COACH_GNUTLS_FIND(pubkey_init);
  COACH_GNUTLS_FIND(pubkey_deinit);
  COACH_GNUTLS_FIND(pubkey_import_rsa_raw);
  COACH_GNUTLS_FIND(pubkey_import_ecc_raw);
  COACH_GNUTLS_FIND(pubkey_verify_data2);
  COACH_GNUTLS_FIND(encode_rs_value);
  COACH_GNUTLS_FIND(privkey_init);
  COACH_GNUTLS_FIND(privkey_deinit);
  COACH_GNUTLS_FIND(privkey_import_x509_raw);
  COACH_GNUTLS_FIND(privkey_export_ecc_raw);
  COACH_GNUTLS_FIND(privkey_sign_data2);
  COACH_GNUTLS_FIND(free);
#undef COACH_GNUTLS_FIND
  return 1;
}

/// Bytes of somebody else, which stay as they are.
typedef struct {
  const unsigned char *bytes;
  unsigned int count;
} coach_bytes;

static inline gnutls_datum_t coach_gnutls_datum(coach_bytes bytes) {
  return (gnutls_datum_t){(unsigned char *)bytes.bytes, bytes.count};
}

/// Whether a signature of RSA (PKCS #1 v1.5) with SHA-256 is that of `text`; 0 also for a key that is none.
static inline int coach_gnutls_verify_rsa(
    const coach_gnutls *library, coach_bytes modulus, coach_bytes exponent, coach_bytes text, coach_bytes signature) {
  gnutls_pubkey_t key;
  if (library->pubkey_init(&key) < 0) return 0;
  gnutls_datum_t n = coach_gnutls_datum(modulus), e = coach_gnutls_datum(exponent);
  gnutls_datum_t data = coach_gnutls_datum(text), mark = coach_gnutls_datum(signature);
  int valid = library->pubkey_import_rsa_raw(key, &n, &e) >= 0
      && library->pubkey_verify_data2(key, GNUTLS_SIGN_RSA_SHA256, 0, &data, &mark) >= 0;
  library->pubkey_deinit(key);
  return valid;
}

/// Whether a signature of ECDSA on P-256 with SHA-256, its two numbers of 32 bytes behind each other, is that of `text`; 0
/// also for a key that is no point of the curve.
static inline int coach_gnutls_verify_p256(
    const coach_gnutls *library, coach_bytes x, coach_bytes y, coach_bytes text, coach_bytes signature) {
  gnutls_pubkey_t key;
  if (signature.count != 64 || library->pubkey_init(&key) < 0) return 0;
  gnutls_datum_t across = coach_gnutls_datum(x), up = coach_gnutls_datum(y), data = coach_gnutls_datum(text);
  gnutls_datum_t r = coach_gnutls_datum((coach_bytes){signature.bytes, 32});
  gnutls_datum_t s = coach_gnutls_datum((coach_bytes){signature.bytes + 32, 32});
  gnutls_datum_t mark = {0, 0};
  int valid = library->pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_SECP256R1, &across, &up) >= 0
      && library->encode_rs_value(&mark, &r, &s) >= 0
      && library->pubkey_verify_data2(key, GNUTLS_SIGN_ECDSA_SHA256, 0, &data, &mark) >= 0;
  if (mark.data) (*library->free)(mark.data);
  library->pubkey_deinit(key);
  return valid;
}

/// Whether a signature of Ed25519, 64 bytes, is that of `text` by a public key of 32 bytes.
static inline int coach_gnutls_verify_ed25519(
    const coach_gnutls *library, coach_bytes point, coach_bytes text, coach_bytes signature) {
  gnutls_pubkey_t key;
  if (signature.count != 64 || point.count != 32 || library->pubkey_init(&key) < 0) return 0;
  gnutls_datum_t x = coach_gnutls_datum(point), data = coach_gnutls_datum(text), mark = coach_gnutls_datum(signature);
  int valid = library->pubkey_import_ecc_raw(key, GNUTLS_ECC_CURVE_ED25519, &x, 0) >= 0
      && library->pubkey_verify_data2(key, GNUTLS_SIGN_EDDSA_ED25519, 0, &data, &mark) >= 0;
  library->pubkey_deinit(key);
  return valid;
}

/// Writes the 32 bytes of the public key of a private Ed25519 key in PEM; 0 when the text is none.
static inline int coach_gnutls_ed25519_public(const coach_gnutls *library, coach_bytes text, unsigned char *point) {
  gnutls_privkey_t key;
  if (library->privkey_init(&key) < 0) return 0;
  gnutls_datum_t data = coach_gnutls_datum(text), x = {0, 0}, k = {0, 0};
  gnutls_ecc_curve_t curve = GNUTLS_ECC_CURVE_INVALID;
  int known = library->privkey_import_x509_raw(key, &data, GNUTLS_X509_FMT_PEM, 0, 0) >= 0
      && library->privkey_export_ecc_raw(key, &curve, &x, 0, &k) >= 0
      && curve == GNUTLS_ECC_CURVE_ED25519 && x.size == 32;
  if (known) for (unsigned int index = 0; index < 32; index++) point[index] = x.data[index];
  if (x.data) (*library->free)(x.data);
  if (k.data) (*library->free)(k.data);
  library->privkey_deinit(key);
  return known;
}

/// Writes the 64 bytes of the signature of `text` by a private Ed25519 key in PEM; 0 when it is none.
static inline int coach_gnutls_ed25519_sign(
    const coach_gnutls *library, coach_bytes key_text, coach_bytes text, unsigned char *signature) {
  gnutls_privkey_t key;
  if (library->privkey_init(&key) < 0) return 0;
  gnutls_datum_t own = coach_gnutls_datum(key_text), data = coach_gnutls_datum(text), mark = {0, 0};
  int made = library->privkey_import_x509_raw(key, &own, GNUTLS_X509_FMT_PEM, 0, 0) >= 0
      && library->privkey_sign_data2(key, GNUTLS_SIGN_EDDSA_ED25519, 0, &data, &mark) >= 0 && mark.size == 64;
  if (made) for (unsigned int index = 0; index < 64; index++) signature[index] = mark.data[index];
  if (mark.data) (*library->free)(mark.data);
  library->privkey_deinit(key);
  return made;
}

/// The functions of GnuTLS that hold what a server shows who it is by. They are opened by a server that speaks TLS.
typedef struct {
  __typeof__(gnutls_pcert_list_import_x509_raw) *pcert_list_import_x509_raw;
  __typeof__(gnutls_pcert_deinit) *pcert_deinit;
  __typeof__(gnutls_privkey_init) *privkey_init;
  __typeof__(gnutls_privkey_deinit) *privkey_deinit;
  __typeof__(gnutls_privkey_import_x509_raw) *privkey_import_x509_raw;
  __typeof__(gnutls_pubkey_init) *pubkey_init;
  __typeof__(gnutls_pubkey_deinit) *pubkey_deinit;
  __typeof__(gnutls_pubkey_import_privkey) *pubkey_import_privkey;
  __typeof__(gnutls_pubkey_get_key_id) *pubkey_get_key_id;
  __typeof__(gnutls_x509_crt_init) *x509_crt_init;
  __typeof__(gnutls_x509_crt_deinit) *x509_crt_deinit;
  __typeof__(gnutls_x509_crt_import) *x509_crt_import;
  __typeof__(gnutls_x509_crt_get_activation_time) *x509_crt_get_activation_time;
  __typeof__(gnutls_x509_crt_get_expiration_time) *x509_crt_get_expiration_time;
} coach_tls;

/// Opens GnuTLS, which stays open; 0 when it is not there, or lacks a function.
static inline int coach_tls_open(coach_tls *library) {
  void *handle = dlopen("libgnutls.so.30", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
#define COACH_TLS_FIND(name) \
  *(void **)&library->name = dlsym(handle, "gnutls_" #name); \
  if (!library->name) return 0
  COACH_TLS_FIND(pcert_list_import_x509_raw);
  COACH_TLS_FIND(pcert_deinit);
  COACH_TLS_FIND(privkey_init);
  COACH_TLS_FIND(privkey_deinit);
  COACH_TLS_FIND(privkey_import_x509_raw);
  COACH_TLS_FIND(pubkey_init);
  COACH_TLS_FIND(pubkey_deinit);
  COACH_TLS_FIND(pubkey_import_privkey);
  COACH_TLS_FIND(pubkey_get_key_id);
  COACH_TLS_FIND(x509_crt_init);
  COACH_TLS_FIND(x509_crt_deinit);
  COACH_TLS_FIND(x509_crt_import);
  COACH_TLS_FIND(x509_crt_get_activation_time);
  COACH_TLS_FIND(x509_crt_get_expiration_time);
#undef COACH_TLS_FIND
  return 1;
}

/// A certificate with what leads to its root, the first one that of the server, and its key.
typedef struct {
  gnutls_pcert_st chain[16];
  unsigned int count;
  gnutls_privkey_t key;
  /// From when to when the first one holds, in seconds since the Unix epoch.
  int64_t begins;
  int64_t ends;
} coach_tls_pair;

/// Lets a pair go.
static inline void coach_tls_release(const coach_tls *library, coach_tls_pair *pair) {
  for (unsigned int index = 0; index < pair->count; index++) library->pcert_deinit(&pair->chain[index]);
  if (pair->key) library->privkey_deinit(pair->key);
  free(pair);
}

/// Whether the key of a pair is that of its first certificate.
static inline int coach_tls_belongs(const coach_tls *library, const coach_tls_pair *pair) {
  unsigned char own[64], stated[64];
  size_t own_count = sizeof own, stated_count = sizeof stated;
  gnutls_pubkey_t key;
  if (library->pubkey_init(&key) < 0) return 0;
  int known = library->pubkey_import_privkey(key, pair->key, 0, 0) >= 0
      && library->pubkey_get_key_id(key, 0, own, &own_count) >= 0
      && library->pubkey_get_key_id(pair->chain[0].pubkey, 0, stated, &stated_count) >= 0;
  library->pubkey_deinit(key);
  return known && own_count == stated_count && memcmp(own, stated, own_count) == 0;
}

/// Reads from when to when the first certificate of a pair holds; 0 when that cannot be read.
static inline int coach_tls_read_span(const coach_tls *library, coach_tls_pair *pair) {
  gnutls_x509_crt_t first;
  if (library->x509_crt_init(&first) < 0) return 0;
  int known = library->x509_crt_import(first, &pair->chain[0].cert, GNUTLS_X509_FMT_DER) >= 0;
  if (known) {
    pair->begins = library->x509_crt_get_activation_time(first);
    pair->ends = library->x509_crt_get_expiration_time(first);
  }
  library->x509_crt_deinit(first);
  return known && pair->begins != -1 && pair->ends != -1;
}

/// Makes a pair of texts in PEM; none where one of them cannot be read, or they do not belong together.
static inline coach_tls_pair *coach_tls_make(const coach_tls *library, coach_bytes certificate, coach_bytes key) {
  coach_tls_pair *pair = calloc(1, sizeof *pair);
  if (!pair) return NULL;
  unsigned int count = sizeof pair->chain / sizeof pair->chain[0];
  gnutls_datum_t data = coach_gnutls_datum(certificate), own = coach_gnutls_datum(key);
  if (library->pcert_list_import_x509_raw(pair->chain, &count, &data, GNUTLS_X509_FMT_PEM, GNUTLS_X509_CRT_LIST_SORT) >= 0) {
    pair->count = count;
  }
  if (library->privkey_init(&pair->key) < 0) pair->key = NULL;
  int usable = pair->count > 0 && pair->key
      && library->privkey_import_x509_raw(pair->key, &own, GNUTLS_X509_FMT_PEM, NULL, 0) >= 0
      && coach_tls_belongs(library, pair) && coach_tls_read_span(library, pair);
  if (usable) return pair;
  coach_tls_release(library, pair);
  return NULL;
}

/// The certificates of a pair.
static inline gnutls_pcert_st *coach_tls_chain(coach_tls_pair *pair) { return pair->chain; }
