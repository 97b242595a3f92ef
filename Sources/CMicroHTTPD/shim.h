#include <dlfcn.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/// The functions of libmicrohttpd that are used. It brings GnuTLS with it, which takes milliseconds to load: so it is not
/// linked, and opened when somebody serves.
typedef struct {
  struct MHD_Daemon *(*start_daemon)(
      unsigned int, uint16_t, MHD_AcceptPolicyCallback, void *, MHD_AccessHandlerCallback, void *, ...);
  __typeof__(MHD_quiesce_daemon) *quiesce_daemon;
  __typeof__(MHD_stop_daemon) *stop_daemon;
  __typeof__(MHD_run) *run;
  enum MHD_Result (*get_timeout)(struct MHD_Daemon *, uint64_t *);
  __typeof__(MHD_suspend_connection) *suspend_connection;
  __typeof__(MHD_resume_connection) *resume_connection;
  __typeof__(MHD_queue_response) *queue_response;
  __typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
  __typeof__(MHD_create_response_from_callback) *create_response_from_callback;
  __typeof__(MHD_add_response_header) *add_response_header;
  enum MHD_Result (*set_response_options)(struct MHD_Response *, enum MHD_ResponseFlags, ...);
  __typeof__(MHD_destroy_response) *destroy_response;
  __typeof__(MHD_get_connection_values_n) *get_connection_values_n;
  const union MHD_ConnectionInfo *(*get_connection_info)(struct MHD_Connection *, enum MHD_ConnectionInfoType, ...);
  const union MHD_DaemonInfo *(*get_daemon_info)(struct MHD_Daemon *, enum MHD_DaemonInfoType, ...);
} coach_mhd;

/// Opens libmicrohttpd, which stays open; 0 when it is not there, or lacks a function.
static inline int coach_mhd_open(coach_mhd *library) {
  void *handle = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
#define COACH_MHD_FIND(name) \
  *(void **)&library->name = dlsym(handle, "MHD_" #name); \
  if (!library->name) return 0
  COACH_MHD_FIND(start_daemon);
  COACH_MHD_FIND(quiesce_daemon);
  COACH_MHD_FIND(stop_daemon);
  COACH_MHD_FIND(run);
  COACH_MHD_FIND(get_timeout);
  COACH_MHD_FIND(suspend_connection);
  COACH_MHD_FIND(resume_connection);
  COACH_MHD_FIND(queue_response);
  COACH_MHD_FIND(create_response_from_buffer);
  COACH_MHD_FIND(create_response_from_callback);
  COACH_MHD_FIND(add_response_header);
  COACH_MHD_FIND(set_response_options);
  COACH_MHD_FIND(destroy_response);
  COACH_MHD_FIND(get_connection_values_n);
  COACH_MHD_FIND(get_connection_info);
  COACH_MHD_FIND(get_daemon_info);
#undef COACH_MHD_FIND
  return 1;
}

/// Makes an answer of unknown length one that has no pieces, and whose connection ends after it. Of an answer in pieces the library
/// sends the end, which is a body, also to who asked for the head alone; 0 when it cannot be made so.
static inline int coach_mhd_without_pieces(const coach_mhd *library, struct MHD_Response *response) {
  return library->set_response_options(response, MHD_RF_HTTP_VERSION_1_0_ONLY, MHD_RO_END) == MHD_YES;
}

/// What the library complains of is of no use to anybody: it is about requests that it answers, or closes, by itself, as docs/http-api.md
/// lists them.
static void coach_mhd_ignore(void *context, const char *format, va_list arguments) {
  (void)context;
  (void)format;
  (void)arguments;
}

/// Names and values stay as they were sent; they are decoded where they are understood.
static size_t coach_mhd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  size_t count = 0;
  while (text[count]) count++;
  return count;
}

/// How a server is started.
typedef struct {
  int listener;
  unsigned int connections;
  unsigned int connections_per_address;
  unsigned int idle_seconds;
  size_t connection_bytes;
  /// What gives the certificate of a connection that begins, a gnutls_certificate_retrieve_function2; none for plain HTTP.
  void *retrieve;
} coach_mhd_settings;

/// TLS 1.2 and 1.3 alone, with keys that are forgotten after each connection and ciphers that authenticate what they hide; the
/// strongest of those that a client has is taken. What the library does by itself goes down to TLS 1.0.
#define COACH_MHD_TLS                                                                                             \
  "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:+AES-256-GCM:"          \
  "+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD:%SERVER_PRECEDENCE"

/// Makes a server that does something when `run` is called, and then all that there is to do; none when it cannot.
static inline struct MHD_Daemon *coach_mhd_start(
    const coach_mhd *library, coach_mhd_settings settings, MHD_AccessHandlerCallback handle, void *context,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connected) {
  unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
  if (settings.retrieve) flags |= MHD_USE_TLS;
  struct MHD_OptionItem options[] = {
    {MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)coach_mhd_ignore, NULL},
    {MHD_OPTION_LISTEN_SOCKET, settings.listener, NULL},
    {MHD_OPTION_CONNECTION_LIMIT, settings.connections, NULL},
    {MHD_OPTION_PER_IP_CONNECTION_LIMIT, settings.connections_per_address, NULL},
    {MHD_OPTION_CONNECTION_TIMEOUT, settings.idle_seconds, NULL},
    {MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings.connection_bytes, NULL},
    {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL},
    {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)coach_mhd_keep_escapes, NULL},
    {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)connected, context},
    {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, context},
    {settings.retrieve ? MHD_OPTION_HTTPS_CERT_CALLBACK : MHD_OPTION_END, 0, settings.retrieve},
    {settings.retrieve ? MHD_OPTION_HTTPS_PRIORITIES : MHD_OPTION_END, 0, (void *)COACH_MHD_TLS},
    {MHD_OPTION_END, 0, NULL},
  };
  return library->start_daemon(flags, 0, NULL, NULL, handle, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// The address of the client of a connection; none when that is not known.
static inline const struct sockaddr *coach_mhd_client(const coach_mhd *library, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      library->get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

/// How many connections a server has.
static inline unsigned int coach_mhd_connections(const coach_mhd *library, struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = library->get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info ? info->num_connections : 0;
}

/// What has something to read when a server has something to do; -1 when that is not known.
static inline int coach_mhd_epoll(const coach_mhd *library, struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = library->get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

/// What was kept of a connection when somebody connected; none when nothing was.
static inline void *coach_mhd_client_kept(const coach_mhd *library, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = library->get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

/// The socket of a connection; -1 when that is not known.
static inline int coach_mhd_socket(const coach_mhd *library, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = library->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// A descriptor that has something to read once it was rung, until it is silenced; -1 when there is none.
static inline int coach_alarm_make(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static inline void coach_alarm_ring(int alarm) { eventfd_write(alarm, 1); }

static inline void coach_alarm_silence(int alarm) {
  eventfd_t count;
  eventfd_read(alarm, &count);
}
