internal import ZoneEngine

/// A recording in a CSV file, our own columns or any whose header can be recognised, or in an array of JSON objects.
///
/// The file is read twice and never held whole: once to tell its facts and whether its rows are in order of time, once
/// to give its samples. Only a file whose rows are out of order is held, to be sorted.
package struct CSVRecording: Sendable {
  /// The most samples that a file out of order may have.
  static let largestUnordered = 20_000_000

  /// The file.
  package let path: String
  /// What the file holds.
  package let facts: RecordingFacts
  /// The persons of a file whose rows belong to persons, in the order of their first rows; else empty. Only the one
  /// that was chosen, where one was.
  package let people: [String]

  private let person: String?
  private let form: RowForm
  /// The samples of a file that cannot be read twice or is out of order.
  private let held: [Sample]?

  /// Opens a file and reads it once.
  ///
  /// - Throws: `FileError` when it cannot be read, `RecordingError` when nothing in it can be used.
  package init(path: String) throws { try self.init(path: path, form: .lines, person: nil) }

  /// Opens a file and reads what belongs to a person, where its rows belong to persons.
  ///
  /// - Throws: as without a person; `RecordingError` too when there is nothing of that person.
  package init(path: String, person: String) throws { try self.init(path: path, form: .lines, person: person) }

  /// Opens a file whose rows have a form; of a person, where one is told.
  init(path: String, form: RowForm, person: String?) throws {
    var scan = CSVScan(path: path, form: form, person: person)
    let file = try POSIXFile(reading: path)
    let isSeekable = file.isSeekable
    var kept: [Sample] = []
    scan.givesSamples = !isSeekable
    try scan.run(file) { kept.append($0) }
    if isSeekable, !scan.isOrdered {
      guard scan.facts.samples <= Self.largestUnordered else {
        throw RecordingError(
          path: path, position: scan.firstDisorder,
          problem: "out of order, and more than \(Self.largestUnordered) samples to put in order")
      }
      kept.reserveCapacity(scan.facts.samples)
      var again = CSVScan(path: path, form: form, person: person)
      again.countsFacts = false
      try again.run(POSIXFile(reading: path)) { kept.append($0) }
    }
    self.init(path: path, scan, form: form, person: person, held: scan.isOrdered && isSeekable ? nil : kept)
  }

  /// A recording whose pass is done, with its samples in the order of the file where they have to be held.
  init(path: String, _ scan: CSVScan, form: RowForm, person: String?, held samples: [Sample]?) {
    self.path = path
    self.form = form
    self.person = person
    people = scan.people.map { people in person.map { [$0] } ?? people.names } ?? []
    guard var samples else {
      facts = scan.facts
      held = nil
      return
    }
    facts = Self.order(&samples, scan)
    // Nobody asks for the samples of several people at once.
    held = people.count > 1 ? [] : samples
  }

  /// Gives every sample to `body`, in order of time, at one instant in that of the file.
  ///
  /// - Precondition: The rows are of one person, or of nobody in particular.
  /// - Throws: `FileError` when the file cannot be read again, or what `body` throws.
  package func forEachSample(_ body: (Sample) throws -> Void) throws {
    precondition(people.count <= 1, "the samples of several people are never mixed")
    if let held {
      for sample in held { try body(sample) }
      return
    }
    var scan = CSVScan(path: path, form: form, person: person)
    scan.countsFacts = false
    try scan.run(POSIXFile(reading: path), body)
  }

  /// Puts the samples of a whole pass in order (stable) and tells their facts.
  private static func order(_ samples: inout [Sample], _ scan: CSVScan) -> RecordingFacts {
    // Times were counted from the first row; the earliest row is the start.
    let shift = SessionTime(nanoseconds: scan.first - scan.earliest)
    if shift != .zero {
      for index in samples.indices {
        let sample = samples[index]
        samples[index] = Sample(sample.reading, at: sample.time + shift, source: sample.source)
      }
    }
    samples.sort { $0.time < $1.time }
    var facts = RecordingFacts(sport: nil)
    for sample in samples { facts.admit(sample) }
    facts.format = scan.facts.format
    facts.start = scan.facts.start?.adding(nanoseconds: -shift.nanoseconds)
    facts.oddities = scan.facts.oddities
    facts.labels = scan.facts.labels
    facts.labels.order(shiftedBy: shift)
    return facts
  }
}
