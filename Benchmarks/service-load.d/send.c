// Sends a batch of samples a second for each of many sessions, each over a connection of its own, and measures how long the answers
// take. Usage: send PORT SECONDS [SAMPLES] < lines of "TOKEN SESSION"; a heart rate and as many others as make up to four SAMPLES.
// Prints one line of JSON.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  char token[80], session[64];
  int socket, sent, isWaiting;
  long second;
  double due, asked;
  char answer[8192];
  int have;
} sender;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  int port = atoi(arguments[1]);
  double seconds = atof(arguments[2]);
  int samples = count > 3 ? atoi(arguments[3]) : 4;
  if (samples < 1 || samples > 4) return 64;
  sender *senders = NULL;
  int total = 0;
  char token[80], session[64];
  while (scanf("%79s %63s", token, session) == 2) {
    senders = realloc(senders, sizeof(sender) * (total + 1));
    memset(&senders[total], 0, sizeof(sender));
    strcpy(senders[total].token, token);
    strcpy(senders[total].session, session);
    total++;
  }
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int poll = epoll_create1(0);
  for (int index = 0; index < total; index++) {
    sender *one = &senders[index];
    one->socket = socket(AF_INET, SOCK_STREAM, 0);
    int yes = 1;
    setsockopt(one->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(one->socket, (struct sockaddr *)&place, sizeof place) != 0) {
      fprintf(stderr, "connection %d: %s\n", index, strerror(errno));
      return 1;
    }
    fcntl(one->socket, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
    epoll_ctl(poll, EPOLL_CTL_ADD, one->socket, &event);
  }
  long capacity = (long)(total * (seconds + 2)) + 1, answered = 0, refused = 0;
  double *latencies = malloc(sizeof(double) * capacity);
  double begin = now() + 0.5;
  for (int index = 0; index < total; index++) senders[index].due = begin + (double)index / total;
  double end = begin + seconds;
  int next = 0;
  while (now() < end) {
    // Everybody is due once a second, in the same order.
    double moment = now();
    while (senders[next].due <= moment) {
      sender *one = &senders[next];
      if (!one->isWaiting) {
        char body[1024], request[2048];
        long s = one->second;
        int length = snprintf(
            body, sizeof body, "{\"type\":\"heartRate\",\"atSeconds\":%ld,\"beatsPerMinute\":%ld}\n", s, 120 + s % 40);
        if (samples > 1)
          length += snprintf(
              body + length, sizeof body - length, "{\"type\":\"steps\",\"atSeconds\":%ld,\"count\":3}\n", s);
        if (samples > 2)
          length += snprintf(
              body + length, sizeof body - length,
              "{\"type\":\"location\",\"atSeconds\":%ld,\"latitude\":52.5%05ld,\"longitude\":13.4}\n", s, s % 100000);
        if (samples > 3)
          length += snprintf(
              body + length, sizeof body - length,
              "{\"type\":\"motion\",\"atSeconds\":%ld,\"acceleration\":[0.1,0.2,0.9]}\n", s);
        int bytes = snprintf(
            request, sizeof request,
            "POST /v1/sessions/%s/samples?batch=%ld HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
            "Content-Type: application/x-ndjson\r\nContent-Length: %d\r\n\r\n%s",
            one->session, s, one->token, length, body);
        if (write(one->socket, request, bytes) != bytes) return 1;
        one->second++;
        one->asked = moment;
        one->isWaiting = 1;
        one->have = 0;
      }
      one->due += 1;
      next = (next + 1) % total;
    }
    struct epoll_event events[256];
    int ready = epoll_wait(poll, events, 256, 1);
    for (int index = 0; index < ready; index++) {
      sender *one = &senders[events[index].data.u32];
      int bytes = read(one->socket, one->answer + one->have, sizeof one->answer - one->have - 1);
      if (bytes <= 0) {
        fprintf(stderr, "%s: the connection was closed\n", one->session);
        return 1;
      }
      one->have += bytes;
      one->answer[one->have] = 0;
      char *head = strstr(one->answer, "\r\n\r\n"), *length = strcasestr(one->answer, "content-length:");
      if (!head || !length || one->have < head + 4 - one->answer + atoi(length + 15)) continue;
      one->isWaiting = 0;
      if (strncmp(one->answer + 9, "200", 3) != 0) refused++;
      if (answered < capacity) latencies[answered++] = now() - one->asked;
    }
  }
  qsort(latencies, answered, sizeof(double), compare);
  printf(
      "{\"sessions\":%d,\"answers\":%ld,\"refused\":%ld,\"p50Milliseconds\":%.2f,\"p99Milliseconds\":%.2f,\"maximumMilliseconds\":%.2f}\n",
      total, answered, refused, answered ? latencies[answered / 2] * 1e3 : 0, answered ? latencies[answered * 99 / 100] * 1e3 : 0,
      answered ? latencies[answered - 1] * 1e3 : 0);
  return 0;
}
