import Glibc

/// The `coach-benchmarks` executable.
@main
struct CoachBenchmarks {
  /// All benchmarks, in the order of the table.
  static func all() -> [Benchmark] {
    sessionTimeBenchmarks() + engineBenchmarks()
  }

  static let usage = """
    usage: coach-benchmarks [--filter TEXT] [--rounds N] [--repeats N] [--json] [--list]
           coach-benchmarks measure [--json] -- COMMAND [ARGUMENT…]

    Times the benchmarks whose name contains TEXT: N rounds of all of them in turn, N repeats a turn and one more that
    is dropped. `measure` runs a command, reports its time and peak memory on standard error and exits as it does.
    """

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.first == "measure" {
        exit(try measureCommand(arguments.dropFirst()))
      } else {
        try benchmark(arguments)
      }
    } catch let error as UsageError {
      complain("\(error.message)\n\(usage)")
      exit(64)
    } catch let error as UnequalWork {
      complain(
        "\(error.name): repeats came to different results, \(error.checksums.0) and \(error.checksums.1)")
      exit(1)
    } catch let error as CannotRun {
      complain("cannot run the command: \(unsafe String(cString: strerror(error.code)))")
      exit(69)
    } catch {
      complain("\(error)")
      exit(70)
    }
  }

  private struct UsageError: Error {
    let message: String
  }

  private static func benchmark(_ arguments: [String]) throws {
    var effort = Effort()
    var filter = ""
    var json = false
    var list = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--filter": filter = try value(of: argument, from: &rest)
      case "--rounds": effort.rounds = try count(of: argument, from: &rest)
      case "--repeats": effort.repeats = try count(of: argument, from: &rest)
      case "--json": json = true
      case "--list": list = true
      case "--help", "-h":
        print(usage)
        return
      default: throw UsageError(message: "unknown argument '\(argument)'")
      }
    }
    let chosen = all().filter { filter.isEmpty || $0.name.contains(filter) }
    guard !chosen.isEmpty else { throw UsageError(message: "no benchmark's name contains '\(filter)'") }
    if list {
      print(chosen.map(\.name).joined(separator: "\n"))
      return
    }
    let measurements = try measure(chosen, effort: effort)
    print(json ? records(of: measurements, effort: effort) : table(of: measurements))
  }

  private static func measureCommand(_ arguments: ArraySlice<String>) throws -> Int32 {
    let words = arguments.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)
    guard words.count == 2, !words[1].isEmpty else { throw UsageError(message: "no command after '--'") }
    let unknown = words[0].filter { $0 != "--json" }
    guard unknown.isEmpty else { throw UsageError(message: "unknown argument '\(unknown.joined(separator: " "))'") }
    let cost = try runAndMeasure(Array(words[1]))
    report(words[0].isEmpty ? line(of: cost) : record(of: cost))
    return cost.exitCode
  }

  private static func value(of option: String, from rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw UsageError(message: "\(option) needs a value") }
    return value
  }

  private static func count(of option: String, from rest: inout ArraySlice<String>) throws -> Int {
    let text = try value(of: option, from: &rest)
    guard let count = Int(text), (1...1_000_000).contains(count) else {
      throw UsageError(message: "\(option) needs a number from 1, not '\(text)'")
    }
    return count
  }

  private static func complain(_ message: String) {
    report("coach-benchmarks: \(message)")
  }

  /// One line on standard error; standard output belongs to the command that is measured.
  private static func report(_ message: String) {
    var bytes = Array(message.utf8)[...]
    bytes.append(UInt8(ascii: "\n"))
    while !bytes.isEmpty {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(STDERR_FILENO, buffer.baseAddress, buffer.count)
      }
      guard written > 0 else { return }
      bytes = bytes.dropFirst(written)
    }
  }
}
