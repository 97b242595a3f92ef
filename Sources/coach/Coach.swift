/// The `coach` executable.
@main
struct Coach {
  static func main() {}
}
