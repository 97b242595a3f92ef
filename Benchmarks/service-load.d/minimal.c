// The least that a server can do: reads requests with a Content-Length and answers each with the same text, on one thread with
// epoll. What a service costs beyond it is its own. Prints its port.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct {
  int have;
  char bytes[4096];
} connection;

static const char answer[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 76\r\n\r\n"
    "{\"version\":1,\"type\":\"taken\",\"accepted\":4,\"rejected\":[],\"events\":[],\"lastEvent\":1}";

int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof place;
  if (bind(listener, (struct sockaddr *)&place, size) != 0 || listen(listener, 1024) != 0) return 1;
  getsockname(listener, (struct sockaddr *)&place, &size);
  printf("%d\n", ntohs(place.sin_port));
  fflush(stdout);
  static connection *connections[1 << 16];
  int poll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  while (1) {
    struct epoll_event events[256];
    int ready = epoll_wait(poll, events, 256, -1);
    for (int index = 0; index < ready; index++) {
      int socket = events[index].data.fd;
      if (socket == listener) {
        int client;
        while ((client = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
          int yes = 1;
          setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
          connections[client] = calloc(1, sizeof(connection));
          struct epoll_event event = {.events = EPOLLIN, .data.fd = client};
          epoll_ctl(poll, EPOLL_CTL_ADD, client, &event);
        }
        continue;
      }
      connection *one = connections[socket];
      int bytes = read(socket, one->bytes + one->have, sizeof one->bytes - one->have - 1);
      if (bytes <= 0) {
        close(socket);
        free(one);
        connections[socket] = NULL;
        continue;
      }
      one->have += bytes;
      one->bytes[one->have] = 0;
      char *head = strstr(one->bytes, "\r\n\r\n"), *length = strcasestr(one->bytes, "content-length:");
      if (!head || !length || one->have < head + 4 - one->bytes + atoi(length + 15)) continue;
      one->have = 0;
      if (write(socket, answer, sizeof answer - 1) < 0) close(socket);
    }
  }
}
