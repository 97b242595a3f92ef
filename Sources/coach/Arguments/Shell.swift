/// The shells whose command line can be completed.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}
