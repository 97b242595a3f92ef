import HeartRateStrap
import TextFormats
import WorkoutSession

/// `coach straps`: the heart-rate straps in the room.
enum StrapsCommand {
  /// Listens for a while, then prints what was heard; a signal ends it sooner.
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> Int32 {
    let interrupts = Interrupts()
    let seconds = parsed[StrapsOptions.seconds]
    let search = StrapSearch(length: Int64(seconds) * 1_000_000_000, now: MonotonicClock.now)
    let line = StrapStatusLine("listening for heart-rate straps for \(seconds) s", to: console.complaints)
    defer { line.end() }
    var status: Int32 = 0
    do {
      while !search.isOver {
        if let problem = search.problem { throw CommandFailure("straps: \(problem)", .unavailable) }
        line.show()
        _ = try StrapWait.ready(search.descriptors, until: search.turn, interrupts)
        search.collect(now: MonotonicClock.now)
      }
    } catch let stop as SearchInterrupted {
      status = Interrupts.exitStatus(stop.signal)
    }
    line.end()
    // The nearest first; one that is connected is heard by nobody.
    let straps = search.straps.sorted { ($0.signalDBm ?? 0, $1.address) > ($1.signalDBm ?? 0, $0.address) }
    try print(straps, parsed, console)
    return status
  }

  private static func print(_ straps: [StrapDevice], _ parsed: ParsedArguments, _ console: Console) throws(FileError) {
    let format = parsed[OutputOptions.format]
    guard format != .text else {
      let facts = TerminalFacts(descriptor: 1, color: parsed[OutputOptions.color])
      return try console.print(StrapsList(straps).lines(width: facts.width), facts)
    }
    var list = RecordList("straps", format)
    for strap in straps { list.append { write(strap, to: &$0) } }
    try list.print(to: console)
  }

  private static func write(_ strap: StrapDevice, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "strap")
      writer.member("address", strap.address)
      writer.member("name", strap.name)
      writer.member("signalDBm", strap.signalDBm)
      writer.member("connected", strap.isConnected)
      writer.member("paired", strap.isPaired)
      writer.member("trusted", strap.isTrusted)
      writer.member("batteryPercent", strap.batteryPercent)
    }
  }
}
