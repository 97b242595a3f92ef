import LiveCoaching
import TextFormats
import WorkoutSession
import ZoneEngine

/// Announces cues beside the screen: speech, the desktop, programs of the user.
///
/// Nothing here waits, and nothing that fails disturbs the session.
final class CueAnnouncers {
  /// How a cue leaves the program.
  private enum Outlet {
    /// A program that gets a sentence; the text stands in its arguments or on its standard input.
    case speech(ProgramChannel, [String], textIsArgument: Bool)
    /// A message on the desktop.
    case desktop(ProgramChannel)
    /// A command of the user, which gets the record.
    case command(ProgramChannel, String)
  }

  private static let speechPrograms = ["espeak-ng", "spd-say", "espeak"]
  private static let secondsOfSpeech = 20.0
  private static let secondsOfCommand = 60.0
  /// Commands that wait; a cue every second would take longer than a minute to fill it.
  private static let waitingCommands = 100
  /// Sentences that wait where all are said: those of many hours, without taking much memory.
  private static let waitingSentences = 10_000

  private let arm: DrawnArm?
  private let language: SpokenLanguage
  private let saysAll: Bool
  private var outlets: [Outlet] = []
  private var missing: [String] = []

  /// Opens what the command line asks for.
  ///
  /// - Parameters:
  ///   - arm: what records name of a session whose strategy was drawn.
  ///   - saysAll: whether everything is said in its order, however late. Nobody runs while a recording is played, and what is said of it
  ///     is the same each time; to somebody who runs a sentence that was overtaken is no help.
  init(_ parsed: ParsedArguments, arm: DrawnArm?, language: SpokenLanguage, saysAll: Bool) {
    self.arm = arm
    self.language = language
    self.saysAll = saysAll
    let waiting: ProgramChannel.Waiting = saysAll ? .all(Self.waitingSentences) : .newestOnly
    let isAsked = parsed[AnnouncingOptions.say] || parsed[AnnouncingOptions.notify]
    guard isAsked || parsed[AnnouncingOptions.sayCommand] != nil || parsed[AnnouncingOptions.onCue] != nil else {
      return
    }
    let guardian = ChildGuardian()
    if let command = parsed[AnnouncingOptions.sayCommand] {
      outlets.append(
        .speech(
          ProgramChannel("--say-command", waiting, secondsEach: Self.secondsOfSpeech, guardedBy: guardian),
          Self.shell(command),
          textIsArgument: command.contains("{}")))
    } else if parsed[AnnouncingOptions.say] {
      if let program = InstalledPrograms.first(of: Self.speechPrograms) {
        let channel = ProgramChannel(program, waiting, secondsEach: Self.secondsOfSpeech, guardedBy: guardian)
        let arguments = program == "spd-say" ? [program, "--wait", "--"] : [program, "--"]
        outlets.append(.speech(channel, arguments, textIsArgument: true))
      } else {
        missing.append(
          "--say: none of \(Self.speechPrograms.joined(separator: ", ")) is installed, so cues are not spoken")
      }
    }
    if parsed[AnnouncingOptions.notify] {
      if let program = InstalledPrograms.first(of: ["notify-send"]) {
        outlets.append(
          .desktop(ProgramChannel(program, waiting, secondsEach: Self.secondsOfSpeech, guardedBy: guardian)))
      } else {
        missing.append("--notify: notify-send is not installed, so the desktop shows no cues")
      }
    }
    if let command = parsed[AnnouncingOptions.onCue] {
      let channel = ProgramChannel(
        "--on-cue", .all(Self.waitingCommands), secondsEach: Self.secondsOfCommand, guardedBy: guardian)
      outlets.append(.command(channel, command))
    }
  }

  /// Says what a session has to say: all of it is spoken and shown, and commands get the cues.
  func announce(_ announcements: [Announcement]) {
    guard !outlets.isEmpty else { return }
    for outlet in outlets {
      switch outlet {
      case .speech, .desktop:
        for breath in Self.breaths(announcements) {
          let urgency = Urgency(breath.map(\.phrase))
          // What is true whenever it is said.
          let lasting = breath.filter { Urgency($0.phrase).patience == nil }
          let isShorter = !lasting.isEmpty && lasting.count < breath.count
          let late = isShorter ? Self.sentence(lasting, in: language) : nil
          let said = Self.sentence(breath, in: language)
          say(said.text, title: said.title, urgency, late: late, by: outlet)
        }
      case .command(let channel, let command):
        for case .some((_, let decision)) in announcements.map(\.cue) {
          var writer = JSONWriter()
          SessionRecords.write(.engine(.decision(decision)), of: arm, to: &writer)
          channel.send(ProgramChannel.Run(arguments: Self.shell(command), input: writer.bytes))
        }
      }
    }
  }

  /// What is said of what comes at once, each with its title on a desktop.
  static func sentences(_ announcements: [Announcement], in language: SpokenLanguage) -> [(text: String, title: String)]
  {
    breaths(announcements).map { sentence($0, in: language) }
  }

  /// What comes at once, by what is said in one breath: cues by themselves, and with the last of them, or alone, everything else as one
  /// sentence after another, so that none of it overtakes the cue or the rest.
  static func breaths(_ announcements: [Announcement]) -> [[Announcement]] {
    let last = announcements.lastIndex { $0.cue != nil }
    var breaths: [[Announcement]] = []
    var rest: [Announcement] = []
    for (index, announcement) in announcements.enumerated() {
      if announcement.cue != nil, index != last { breaths.append([announcement]) } else { rest.append(announcement) }
    }
    return rest.isEmpty ? breaths : breaths + [rest]
  }

  /// What is said in a breath, with its title on a desktop: that of its cue.
  private static func sentence(
    _ breath: [Announcement], in language: SpokenLanguage
  ) -> (text: String, title: String) {
    let cue = breath.lazy.compactMap(\.cue).first
    return (
      breath.map { language.text($0.phrase) }.joined(separator: " "),
      cue.map { "\($0.action.symbol) \($0.action.words($0.decision.grade))" } ?? "coach"
    )
  }

  /// What went wrong since the last call, each once.
  func takeFailures() -> [String] {
    defer { missing.removeAll() }
    return missing
      + outlets.compactMap { outlet in
        switch outlet {
        case .speech(let channel, _, _), .desktop(let channel), .command(let channel, _): channel.takeFailure()
        }
      }
  }

  /// How many sentences are to be said yet, of those that are all said.
  var waitingCount: Int {
    guard saysAll else { return 0 }
    return outlets.reduce(0) { count, outlet in
      switch outlet {
      case .speech(let channel, _, _), .desktop(let channel): max(count, channel.waitingCount)
      case .command: count
      }
    }
  }

  /// Waits for what is being announced, but not long; where all is said, until somebody gives up.
  ///
  /// - Parameters:
  ///   - isSaidToItsEnd: whether somebody is there for all of what is said, where all is.
  ///   - isGivenUp: whether somebody wants to wait no longer.
  ///   - sayWait: gets a line for each program that is waited for longer than a moment.
  func finish(isSaidToItsEnd: Bool, unless isGivenUp: () -> Bool, _ sayWait: (String) -> Void) {
    for outlet in outlets {
      switch outlet {
      case .speech(let channel, _, _), .desktop(let channel):
        if saysAll, isSaidToItsEnd {
          channel.finish(unless: isGivenUp)
        } else {
          channel.finish(seconds: 5, unless: isGivenUp, sayWait)
        }
      case .command(let channel, _): channel.finish(seconds: 10, unless: isGivenUp, sayWait)
      }
    }
  }

  /// Says a sentence to a person, or another one when that is late; commands get cues alone.
  private func say(
    _ sentence: String, title: String, _ urgency: Urgency, late: (text: String, title: String)?, by outlet: Outlet
  ) {
    guard let (channel, run) = Self.run(sentence, title: title, by: outlet) else { return }
    channel.send(run, urgency, late: late.flatMap { Self.run($0.text, title: $0.title, by: outlet)?.run })
  }

  /// What says a sentence. Names of steps stand in it.
  private static func run(
    _ sentence: String, title: String, by outlet: Outlet
  ) -> (channel: ProgramChannel, run: ProgramChannel.Run)? {
    let sentence = sentence.visible
    switch outlet {
    case .speech(let channel, let arguments, true):
      return (channel, ProgramChannel.Run(arguments: arguments + [sentence], input: []))
    case .speech(let channel, let arguments, false):
      return (channel, ProgramChannel.Run(arguments: arguments, input: Array((sentence + "\n").utf8)))
    case .desktop(let channel):
      let arguments = ["notify-send", "--app-name=coach", "--", title, sentence]
      return (channel, ProgramChannel.Run(arguments: arguments, input: []))
    case .command: return nil
    }
  }

  /// A command line by a shell, in which `{}` stands for the argument behind it.
  private static func shell(_ command: String) -> [String] {
    let pieces = command.split(separator: "{}", omittingEmptySubsequences: false)
    return ["/bin/sh", "-c", pieces.joined(separator: "\"$1\""), "coach"]
  }
}
