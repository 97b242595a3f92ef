internal import TextFormats

/// Waits until something is so that nobody says when it is, a span is over, in nanoseconds, or the task is cancelled.
func waitUntil(atMost span: Int64, _ isSo: () -> Bool) async {
  let begin = MonotonicClock.now
  while MonotonicClock.now - begin < span, !isSo() {
    try? await Task.sleep(nanoseconds: 2_000_000)
    if Task.isCancelled { return }
  }
}
