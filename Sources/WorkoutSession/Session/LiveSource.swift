package import TextFormats
package import ZoneEngine

/// A place that live samples come from: a stream of lines, a recording that is played, a runner who is simulated, a strap.
///
/// It never waits: it says what it waits for, and takes what is there when it is asked to. One thread asks all of them.
package protocol LiveSource: AnyObject {
  /// What it is called in messages, such as `standard input`.
  var name: String { get }
  /// Where its samples come from.
  var origin: SessionOrigin { get }
  /// What is done, where the source knows it; `nil` where only the person does.
  var activity: Activity? { get }
  /// Where its samples come from in the words of `--source`, as a manifest keeps it: without the folder of a file.
  var originText: String { get }
  /// The descriptors that it waits to read from.
  var descriptors: [Int32] { get }
  /// Whether all of its senders have gone, among them one who may end a session by that, and it waits for others, who may
  /// never come.
  var isDeserted: Bool { get }
  /// When it wants a turn although none of them can be read, in nanoseconds of the monotonic clock; `nil` for never.
  var turn: Int64? { get }
  /// Takes what is there.
  ///
  /// - Parameters:
  ///   - ready: the descriptors that can be read.
  ///   - now: nanoseconds of the monotonic clock.
  func collect(ready: Set<Int32>, now: Int64) -> [LiveSourceEvent]
  /// Hears what the session emits; `feed` is where the command came from that is answered.
  func hear(_ events: [SessionEvent], feed: LiveFeed?)
  /// Lets go of everything.
  func close()
}

/// What comes from a source.
package enum LiveSourceEvent: Hashable, Sendable {
  /// Bytes of the line protocol.
  case bytes([UInt8], connection: Int)
  /// Lines of a source that makes them itself.
  case lines([LiveLine])
  /// The time that a source of its own keeps has come so far, and nothing was measured.
  case passed(SessionTime)
  /// A sender has come whose commands are refused.
  case stranger(connection: Int)
  /// A sender is gone: its last line needs no end.
  case left(connection: Int)
  /// Something that people want to know.
  case notice(String)
  /// Nothing comes any more.
  case ended
  /// Nothing comes any more, because it cannot be read.
  case failed(FileError)
  /// Nothing comes any more, because what is read is not what was expected.
  case broken(String)
}
