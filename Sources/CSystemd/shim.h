#include <dlfcn.h>
#include <systemd/sd-bus.h>

/// The functions of libsystemd that are used. It brings six libraries with it, for archives and cryptography, which no
/// start shall wait for and no machine without a strap needs: so it is not linked, and opened when a strap is asked for.
typedef struct {
  __typeof__(sd_bus_open_system) *open_system;
  __typeof__(sd_bus_close_unref) *close_unref;
  __typeof__(sd_bus_get_fd) *get_fd;
  __typeof__(sd_bus_get_events) *get_events;
  __typeof__(sd_bus_get_timeout) *get_timeout;
  __typeof__(sd_bus_process) *process;
  __typeof__(sd_bus_send) *send;
  __typeof__(sd_bus_message_new_method_call) *message_new_method_call;
  __typeof__(sd_bus_message_unref) *message_unref;
  __typeof__(sd_bus_message_append_basic) *message_append_basic;
  __typeof__(sd_bus_message_open_container) *message_open_container;
  __typeof__(sd_bus_message_close_container) *message_close_container;
  __typeof__(sd_bus_message_get_type) *message_get_type;
  __typeof__(sd_bus_message_get_reply_cookie) *message_get_reply_cookie;
  __typeof__(sd_bus_message_get_sender) *message_get_sender;
  __typeof__(sd_bus_message_get_path) *message_get_path;
  __typeof__(sd_bus_message_get_interface) *message_get_interface;
  __typeof__(sd_bus_message_get_member) *message_get_member;
  __typeof__(sd_bus_message_get_error) *message_get_error;
  __typeof__(sd_bus_message_peek_type) *message_peek_type;
  __typeof__(sd_bus_message_enter_container) *message_enter_container;
  __typeof__(sd_bus_message_exit_container) *message_exit_container;
  __typeof__(sd_bus_message_read_basic) *message_read_basic;
  __typeof__(sd_bus_message_read_array) *message_read_array;
  __typeof__(sd_bus_message_skip) *message_skip;
} coach_bus;

/// Opens libsystemd, which stays open; 0 when it is not there, or lacks a function.
static inline int coach_bus_open(coach_bus *library) {
  void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
#define COACH_BUS_FIND(name) \
  *(void **)&library->name = dlsym(handle, "sd_bus_" #name); \
  if (!library->name) return 0
  COACH_BUS_FIND(open_system);
  COACH_BUS_FIND(close_unref);
  COACH_BUS_FIND(get_fd);
  COACH_BUS_FIND(get_events);
  COACH_BUS_FIND(get_timeout);
  COACH_BUS_FIND(process);
  COACH_BUS_FIND(send);
  COACH_BUS_FIND(message_new_method_call);
  COACH_BUS_FIND(message_unref);
  COACH_BUS_FIND(message_append_basic);
  COACH_BUS_FIND(message_open_container);
  COACH_BUS_FIND(message_close_container);
  COACH_BUS_FIND(message_get_type);
  COACH_BUS_FIND(message_get_reply_cookie);
  COACH_BUS_FIND(message_get_sender);
  COACH_BUS_FIND(message_get_path);
  COACH_BUS_FIND(message_get_interface);
  COACH_BUS_FIND(message_get_member);
  COACH_BUS_FIND(message_get_error);
  COACH_BUS_FIND(message_peek_type);
  COACH_BUS_FIND(message_enter_container);
  COACH_BUS_FIND(message_exit_container);
  COACH_BUS_FIND(message_read_basic);
  COACH_BUS_FIND(message_read_array);
  COACH_BUS_FIND(message_skip);
#undef COACH_BUS_FIND
  return 1;
}
