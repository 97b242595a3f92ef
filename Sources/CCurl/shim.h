#include <curl/curl.h>
#include <dlfcn.h>

/// The functions of libcurl that are used. libcurl brings thirty libraries with it, which take 15 ms and more to load:
/// so it is not linked, and opened when something is sent. Most of its functions take any number of values of any type,
/// which Swift cannot call: below is one for each type.
typedef struct {
  __typeof__(curl_global_init) *global_init;
  __typeof__(curl_easy_init) *easy_init;
  __typeof__(curl_easy_cleanup) *easy_cleanup;
  __typeof__(curl_easy_reset) *easy_reset;
  __typeof__(curl_easy_perform) *easy_perform;
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  __typeof__(curl_slist_append) *slist_append;
  __typeof__(curl_slist_free_all) *slist_free_all;
  __typeof__(curl_getdate) *getdate;
  __typeof__(curl_easy_strerror) *easy_strerror;
} coach_curl;

/// Opens libcurl, which stays open; 0 when it is not there, or lacks a function.
static inline int coach_curl_open(coach_curl *library) {
  void *handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
#define COACH_CURL_FIND(name) \
  *(void **)&library->name = dlsym(handle, "curl_" #name); \
  if (!library->name) return 0
  COACH_CURL_FIND(global_init);
  COACH_CURL_FIND(easy_init);
  COACH_CURL_FIND(easy_cleanup);
  COACH_CURL_FIND(easy_reset);
  COACH_CURL_FIND(easy_perform);
  COACH_CURL_FIND(easy_setopt);
  COACH_CURL_FIND(easy_getinfo);
  COACH_CURL_FIND(slist_append);
  COACH_CURL_FIND(slist_free_all);
  COACH_CURL_FIND(getdate);
  COACH_CURL_FIND(easy_strerror);
#undef COACH_CURL_FIND
  return library->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

/// An option that is a number or a truth value.
static inline CURLcode coach_curl_set_long(const coach_curl *library, CURL *curl, CURLoption option, long value) {
  return library->easy_setopt(curl, option, value);
}

/// An option that is a count of bytes.
static inline CURLcode coach_curl_set_offset(
    const coach_curl *library, CURL *curl, CURLoption option, curl_off_t value) {
  return library->easy_setopt(curl, option, value);
}

/// An option that is a text, which libcurl copies.
static inline CURLcode coach_curl_set_text(
    const coach_curl *library, CURL *curl, CURLoption option, const char *value) {
  return library->easy_setopt(curl, option, value);
}

/// An option that is a list of lines, or what a function is called with; both outlive the transfer.
static inline CURLcode coach_curl_set_pointer(
    const coach_curl *library, CURL *curl, CURLoption option, void *value) {
  return library->easy_setopt(curl, option, value);
}

/// `CURLOPT_READFUNCTION`, which gives what is sent.
static inline CURLcode coach_curl_set_reader(const coach_curl *library, CURL *curl, curl_read_callback function) {
  return library->easy_setopt(curl, CURLOPT_READFUNCTION, function);
}

/// `CURLOPT_SEEKFUNCTION`, which begins again with what is sent.
static inline CURLcode coach_curl_set_seeker(const coach_curl *library, CURL *curl, curl_seek_callback function) {
  return library->easy_setopt(curl, CURLOPT_SEEKFUNCTION, function);
}

/// `CURLOPT_WRITEFUNCTION` or `CURLOPT_HEADERFUNCTION`, which take what is answered.
static inline CURLcode coach_curl_set_taker(
    const coach_curl *library, CURL *curl, CURLoption option, curl_write_callback function) {
  return library->easy_setopt(curl, option, function);
}

/// `CURLOPT_XFERINFOFUNCTION`, which is given how far a transfer is.
static inline CURLcode coach_curl_set_observer(const coach_curl *library, CURL *curl, curl_xferinfo_callback function) {
  return library->easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, function);
}

/// A fact of the last transfer that is a number.
static inline CURLcode coach_curl_get_long(const coach_curl *library, CURL *curl, CURLINFO info, long *value) {
  return library->easy_getinfo(curl, info, value);
}
