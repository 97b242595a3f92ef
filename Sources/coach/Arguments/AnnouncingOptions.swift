/// How cues are announced beside the screen.
enum AnnouncingOptions {
  static let say = Option.flag(
    "say", in: .session, help: "Speak the cues, by espeak-ng or spd-say where one is installed")

  static let sayCommand = Option.text(
    "say-command", "COMMAND", in: .session,
    help: "Speak the cues by this command, which reads a sentence or finds it in place of {}")

  static let notify = Option.flag("notify", in: .session, help: "Show the cues on the desktop, by notify-send")

  static let onCue = Option.text(
    "on-cue", "COMMAND", in: .session, help: "Run a command for each cue, with its record on standard input")

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [say, sayCommand, PreferenceOptions.language, notify, onCue]
}
