/// Values of which there can be thousands: other threads make something of those that are gathered while more of them are read.
struct Batches<Value: Sendable, Made: Sendable>: Sendable {
  /// How many values one thread takes at a time.
  private static var size: Int { 512 }

  private let make: @Sendable (_ values: [Value], _ follows: Bool) -> Made
  private var gathered: [Value] = []
  private var batches: [Task<Made, Never>] = []

  /// No value; `make` makes something of some of them, and hears whether there are others before them.
  init(_ make: @escaping @Sendable (_ values: [Value], _ follows: Bool) -> Made) { self.make = make }

  /// Adds a value.
  mutating func append(_ value: consuming Value) {
    gathered.append(value)
    if gathered.count == Self.size { handOver() }
  }

  /// Ends it: what was made of all values, in order.
  consuming func finished() async -> [Made] {
    if !gathered.isEmpty { handOver() }
    var made: [Made] = []
    made.reserveCapacity(batches.count)
    for batch in batches { made.append(await batch.value) }
    return made
  }

  private mutating func handOver() {
    let (values, make, follows) = (gathered, make, !batches.isEmpty)
    gathered = []
    gathered.reserveCapacity(Self.size)
    batches.append(Task.detached { make(values, follows) })
  }
}
