private import Dispatch

/// Goes on with requests that waited for a commit, all that it answers in one turn of one thread: a thread for each of them would
/// be woken for a few microseconds of work.
final class AnswerExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "coach.http.answers")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
