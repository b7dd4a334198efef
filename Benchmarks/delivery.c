// SPDX-License-Identifier: Apache-2.0
// Two threads and a plain queue, beside which `DeliveryCost` is measured: `delivery SECONDS`
//
// One thread waits for a timer of 1 kHz, as one would for data-ready edges, and puts a sample of
// the size of a device motion into a ring; the other waits on a condition variable and takes the
// time from the edge. Prints what DeliveryCost prints.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { PERIOD = 1000000, RING = 4096 };

struct sample {
  int64_t edge;
  double numbers[30];
};

static struct sample ring[RING];
static uint64_t written, taken;
static int is_over;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_new = PTHREAD_COND_INITIALIZER;
static int64_t end, begin;
static double *latencies, sum;
static size_t count, room;

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void *sensor(void *unused) {
  (void)unused;
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  int64_t edge = now(CLOCK_MONOTONIC) + PERIOD;
  const struct itimerspec period = {
    .it_value = {edge / 1000000000, edge % 1000000000}, .it_interval = {0, PERIOD}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &period, NULL);
  uint64_t edges;
  while (read(timer, &edges, sizeof edges) == sizeof edges && edge < end) {
    for (; edges > 0; edges--, edge += PERIOD) {
      struct sample sample = {.edge = edge};
      for (int i = 0; i < 30; i++) sample.numbers[i] = (double)(edge % (i + 1));
      pthread_mutex_lock(&lock);
      ring[written++ % RING] = sample;
      pthread_cond_signal(&is_new);
      pthread_mutex_unlock(&lock);
    }
  }
  pthread_mutex_lock(&lock);
  is_over = 1;
  pthread_cond_signal(&is_new);
  pthread_mutex_unlock(&lock);
  close(timer);
  return NULL;
}

static void *handler(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&lock);
    while (taken == written && !is_over) pthread_cond_wait(&is_new, &lock);
    if (taken == written) break;
    struct sample sample = ring[taken++ % RING];
    pthread_mutex_unlock(&lock);
    int64_t latency = now(CLOCK_MONOTONIC) - sample.edge;
    sum += sample.numbers[29];
    if (sample.edge >= begin && count < room) latencies[count++] = (double)latency;
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  const double seconds = argc == 2 ? atof(argv[1]) : 0;
  if (!(seconds > 0)) {
    fputs("usage: delivery SECONDS\n", stderr);
    return 64;
  }
  room = (size_t)((seconds + 2) * 1000);
  latencies = calloc(room, sizeof *latencies);
  if (!latencies) return 71;
  begin = now(CLOCK_MONOTONIC) + 1000000000;
  end = begin + (int64_t)(seconds * 1e9);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, handler, NULL);
  pthread_create(&threads[1], NULL, sensor, NULL);
  sleep(1);
  const int64_t before = now(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  const int64_t cost = now(CLOCK_PROCESS_CPUTIME_ID) - before;
  qsort(latencies, count, sizeof *latencies, compare);
  printf("cpu %f\n", (double)cost / seconds);
  printf("samples %f\n", (double)count / seconds);
  printf("latency %f %f\n", latencies[(count - 1) / 2], latencies[(size_t)((double)(count - 1) * 0.99)]);
  free(latencies);
  return sum < 0;
}
