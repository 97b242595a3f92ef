internal import TextFormats

/// Whose a recording is.
package enum MotionPersonSource: String, CaseIterable, Hashable, Sendable {
  /// What the recording itself names; else, where the recordings lie in several folders, the folder; else the file.
  case session
  /// The folder.
  case folder
  /// The file: its name up to the first `_`, `-`, `.` or space, so that `s07_02_sw.csv` is of `s07`.
  case file
}

/// Motion recordings of some people, with labels that mean the same in all of them, in g and radians a second.
package struct MotionCorpus: Sendable {
  /// The recordings, in the order of their files.
  package let recordings: [MotionRecording]
  /// The number of each recording's person.
  package let persons: [Int]
  /// The names of the people, in order.
  package let people: [String]
  /// The names of the labels, in order.
  package let labels: [String]
  /// What was odd.
  package let notices: [MotionNotice]

  /// Whether every recording has turning rates.
  package var hasRotationRate: Bool { recordings.allSatisfy(\.hasRotationRate) }

  /// Joins files; people and labels are numbered in the order of their names' bytes.
  ///
  /// - Parameter apart: the files in whose folders nothing is looked for that says whose the others are: those that others are
  ///   tested with.
  package init(_ files: consuming [MotionFile], personFrom: MotionPersonSource, apart: Set<String> = []) {
    var files = files
    var notices = files.flatMap(\.notices)
    var kinds: [[String]: [Int]] = [:]
    for (index, file) in files.enumerated() { kinds[file.header, default: []].append(index) }
    for indices in kinds.values.sorted(by: { $0[0] < $1[0] }) {
      let units = MotionUnits.units(of: indices.map { files[$0] })
      for (index, units) in zip(indices, units) {
        if let guess = units.guess { notices.append(MotionNotice(text: guess, source: files[index].source)) }
        files[index].convert(units)
      }
    }
    let labels = Self.ordered(files.flatMap(\.labels))
    func hasManyFolders(_ sources: [String]) -> Bool { Set(sources.map { FileSystem.folder(of: $0) }).count > 1 }
    let sources = files.map(\.source)
    let manyFolders = hasManyFolders(sources.filter { !apart.contains($0) })
    let manyApart = hasManyFolders(sources.filter { apart.contains($0) })
    var recordings: [MotionRecording] = []
    var names: [String] = []
    for file in files {
      let numbers = file.labels.map { label in Int16(labels.firstIndex(of: label) ?? -1) }
      for var recording in file.recordings {
        for index in recording.labels.indices where recording.labels[index] >= 0 {
          recording.labels[index] = numbers[Int(recording.labels[index])]
        }
        names.append(
          Self.person(
            of: recording, personFrom, manyFolders: apart.contains(recording.source) ? manyApart : manyFolders))
        recordings.append(recording)
      }
    }
    let people = Self.ordered(names)
    let places = Dictionary(uniqueKeysWithValues: people.enumerated().map { ($1, $0) })
    self.recordings = recordings
    self.labels = labels
    self.people = people
    self.notices = notices
    persons = names.map { places[$0] ?? 0 }
  }

  /// Recordings whose labels and people have numbers already.
  ///
  /// - Precondition: there is a person for each recording.
  init(
    _ recordings: [MotionRecording], persons: [Int], people: [String], labels: [String], notices: [MotionNotice]
  ) {
    precondition(recordings.count == persons.count, "every recording is somebody's")
    self.recordings = recordings
    self.persons = persons
    self.people = people
    self.labels = labels
    self.notices = notices
  }

  static func ordered(_ names: [String]) -> [String] {
    Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func person(of recording: MotionRecording, _ source: MotionPersonSource, manyFolders: Bool) -> String {
    let folder = FileSystem.name(of: FileSystem.folder(of: recording.source))
    let file = String(FileSystem.name(of: recording.source).prefix { !"_-. ".contains($0) })
    switch source {
    case .folder: return folder
    case .file: return file
    case .session:
      if !recording.statedPerson.isEmpty { return recording.statedPerson }
      return manyFolders ? folder : file
    }
  }
}

extension MotionFile {
  /// Brings the samples to g and radians a second.
  fileprivate mutating func convert(_ units: MotionUnits) {
    guard units.acceleration != .one || units.rotationRate != .one else { return }
    let (a, g) = (SIMD3<Float>(units.acceleration), SIMD3<Float>(units.rotationRate))
    let factors = SIMD8<Float>(a[0], a[1], a[2], g[0], g[1], g[2], 1, 1)
    for recording in recordings.indices {
      for index in recordings[recording].samples.indices { recordings[recording].samples[index] *= factors }
    }
  }
}
