/// What is recognised in the motion of a session.
enum RecognitionOptions {
  static let recognize = Option.file(
    "recognize", "FILE", in: .session,
    help: "Recognise activities in the motion with this model (see motion train), and pause while you stand still")

  static let autoPause = Option.flag(
    "auto-pause", in: .session,
    help:
      "Pause after 3 s of standing still and go on after 1 s of moving: so by itself with --recognize, but not where the "
      + "strategy or its cues are drawn")

  static let noAutoPause = Option.flag("no-auto-pause", in: .session, help: "Do not pause by itself")

  /// All of them, in the order of the help.
  static let all: [any DeclaredOption] = [recognize, autoPause, noAutoPause]
}
