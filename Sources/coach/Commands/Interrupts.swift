import Glibc
import LiveCoaching
import Synchronization
import TextFormats

/// Where the handler of the signals writes to; -1 while nobody waits for them.
private let inlet = Atomic<Int32>(-1)

/// Whether SIGHUP ends the program, as the end of its terminal does.
private let isHangupEnd = Atomic(true)

/// Ctrl-C, Ctrl-\ and requests to end, turned into bytes that can be waited for.
///
/// A process has one of it. From its creation on no signal is lost, however soon it comes.
final class Interrupts: LiveSignals {
  /// The signals that end a program, of which SIGHUP may ask for something else.
  static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// The end of a pipe that can be read when a signal came.
  let descriptor: Int32

  /// Takes over the signals.
  init() {
    let ends = PipeEnds(readingWaits: false)
    descriptor = ends?.reading ?? -1
    inlet.store(ends?.writing ?? -1, ordering: .sequentiallyConsistent)
    EndingSignal.note(0)
    take(Self.ending)
  }

  /// From now on SIGHUP is a signal like others, and ends nothing by itself.
  func takeHangupForRequest() { isHangupEnd.store(false, ordering: .sequentiallyConsistent) }

  /// Takes over further signals.
  func take(_ signals: [Int32]) {
    for number in signals {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { number in
        // Only what may be done in the middle of anything: a number is stored, a byte written.
        let before = errno
        let endsByHangup = isHangupEnd.load(ordering: .relaxed)
        if number == SIGINT || number == SIGTERM || number == SIGQUIT || number == SIGHUP && endsByHangup {
          EndingSignal.note(number)
        }
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(inlet.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = before
      }
      action.sa_flags = SA_RESTART
      _ = unsafe sigaction(number, &action, nil)
    }
  }

  /// The signal that came; `nil` when none did.
  func pending() -> Int32? {
    var byte: UInt8 = 0
    return unsafe read(descriptor, &byte, 1) == 1 ? Int32(byte) : nil
  }

  /// Waits until a signal comes or a span has passed; the signal, if one came.
  func wait(nanoseconds: Int64) -> Int32? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
    _ = unsafe poll(&entry, 1, max(0, milliseconds))
    return pending()
  }

  /// How the program exits after a signal: 130 for Ctrl-C, 128 and its number for others.
  static func exitStatus(_ signal: Int32) -> Int32 { 128 + signal }
}
