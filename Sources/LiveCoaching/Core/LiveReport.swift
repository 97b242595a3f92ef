package import SessionStore
package import TextFormats
package import WorkoutSession

/// What came of a piece of input of a live session.
package struct LiveReport: Sendable {
  /// Everything that happened, in order.
  package internal(set) var events: [SessionEvent] = []
  /// The number of the last record of the session, from 1; 0 before the first, and where nothing is kept.
  package internal(set) var lastRecord = 0
  /// What people want to know about the stamps of samples.
  package internal(set) var notices: [String] = []
  /// Lines that could not be used, in order; of a request the first ``mostBadLinesOfRequest``.
  package internal(set) var badLines: [BadLine] = []
  /// How many lines could not be used beside those.
  package internal(set) var moreBadLines = 0
  /// What changed about the recording; reported once.
  package internal(set) var recording: RecordingChange?
  /// Whether nothing is kept of the session any more, since a report whose `recording` said so.
  package internal(set) var isLost = false
  /// Whether nobody knows yet that it is kept: it was taken, and cannot be written now. The same lines under the same name, and the
  /// same commands, have their answer later.
  package internal(set) var isUnsettled = false
  /// Whether the journal has all of it and the folder of the session, which is over, cannot be written now.
  package internal(set) var isUnfinished = false
  /// The number of the first line that was not taken, because the lines before it made ``mostRecordsOfRequest``; it and those after
  /// it are among the lines that could not be used, and are to be sent again. Absent where all were taken.
  package internal(set) var nextLine: Int?
  /// How many lines were not taken because of that.
  private(set) var untakenLines = 0
  /// How many lines there were, blank ones left out.
  package internal(set) var lineCount = 0
  /// What came of the same lines before, for those that were sent again; nothing else is in the report then.
  package internal(set) var repeated: BatchOutcome?
  /// Whether their name was used for other lines before; nothing of them is taken, and nothing else is in the report then.
  package internal(set) var isOfOtherLines = false
  /// The state of the session.
  package internal(set) var state = LiveSession.State.standby

  /// How many lines of a request are listed that could not be used: an answer is not many times as long as what it answers.
  package static let mostBadLinesOfRequest = 100

  /// After how many records a request takes no further line. Lines that come each second make fewer, as many as fit into a request; a
  /// single line of a request is taken whatever it makes.
  package static let mostRecordsOfRequest = 5_000

  /// How many lines could not be used.
  package var badLineCount: Int { badLines.count + moreBadLines }

  /// How many of the first of ``events`` came before the session began: refusals of commands. They answer who sent them and are no records, so
  /// that a session has the same ones however its lines were cut.
  var earlyCount: Int {
    let begin = events.firstIndex { if case .started = $0 { true } else { false } }
    guard let begin else { return state == .standby ? events.count : 0 }
    // A command that begins the session is answered just before.
    let refusals = events[..<begin].prefix {
      if case .acknowledgement(let answer) = $0 { answer.refusal != nil } else { false }
    }
    return refusals.count
  }

  /// Whether all lines were commands, each of which is known by its identity when it is sent again.
  var isOfCommandsAlone: Bool {
    lineCount == events.count { if case .acknowledgement = $0 { true } else { false } }
  }

  /// A report of nothing.
  package init() {}

  /// Notes that a line could not be used, and why where it is one of the first.
  mutating func noteBadLine(_ number: Int, _ problem: some Error, atMost most: Int) {
    guard badLines.count < most else { return moreBadLines += 1 }
    badLines.append(BadLine(number: number, problem: "\(problem)"))
  }

  /// Notes that a line was not taken, because those before it made too much.
  mutating func noteUntakenLine(_ number: Int) {
    nextLine = nextLine ?? number
    lineCount += 1
    untakenLines += 1
    noteBadLine(number, UntakenLine(), atMost: Self.mostBadLinesOfRequest)
  }

  /// Why a line was not taken.
  private struct UntakenLine: Error, CustomStringConvertible {
    var description: String {
      "the lines before it made \(mostRecordsOfRequest) records or more: expected it again, in another request"
    }
  }

  /// A line that could not be used.
  package struct BadLine: Hashable, Sendable {
    /// Its number, from 1.
    package let number: Int
    /// What is wrong and what was expected.
    package let problem: String
  }

  /// What can happen to a recording while the session goes on.
  package enum RecordingChange: Sendable {
    /// It cannot be written; what comes is kept in memory and tried again each second.
    case interrupted(any Error)
    /// Everything that was kept is written.
    case resumed
    /// It cannot be written any more: it was never begun, too much waits, or the session is over. What was written
    /// stays, and the next start closes the session.
    case lost(any Error)
  }
}

/// Where and as what a live session is recorded.
package struct LiveRecording: Sendable {
  /// The data folder.
  let dataFolder: StoredPath
  /// What was asked for.
  let request: CoachingRequest
  /// The person; absent when nobody said who it is.
  let person: SessionPerson?
  /// How the strategy was drawn; absent where it was chosen.
  let randomization: Randomization?
  /// Eight random digits that distinguish sessions of one second.
  let random: UInt32
  /// Where the samples come from; absent where that is not known.
  let origin: SessionOrigin?
  /// What is listened to, in the words of `--source`.
  let inputs: [String]
  /// The identity of a session that is kept from before it begins, and goes on after the process is gone; absent for one
  /// that is named by its start.
  let sessionID: String?
  /// What is in its folder already, of a session that another process began; else it is made when it begins.
  let manifest: SessionManifest?
  /// How much a shared log has of it; absent where it is kept here alone.
  let shared: SharedPlace?
  /// How its motion is kept, where it has no manifest yet.
  let motionLog: MotionLogFormat
  /// The streams whose rows its log of commands counts, where another process began that.
  let countedStreams: [SampleStream]?

  /// Creates a description of a recording.
  package init(
    dataFolder: StoredPath, request: SessionRequest, random: UInt32, origin: SessionOrigin? = nil,
    inputs: [String] = [], sessionID: String? = nil, manifest: SessionManifest? = nil,
    shared: SharedPlace? = nil, motionLog: MotionLogFormat = .csv, countedStreams: [SampleStream]? = nil
  ) {
    self.countedStreams = countedStreams
    self.motionLog = motionLog
    self.shared = shared
    self.sessionID = sessionID
    self.manifest = manifest
    self.origin = origin
    self.inputs = inputs
    self.dataFolder = dataFolder
    self.request = request.coaching
    person = request.person
    randomization = request.randomization
    self.random = random
  }
}
