internal import TextFormats

/// Whose a recording is.
package enum MotionPersonSource: String, CaseIterable, Hashable, Sendable {
  /// What the recording itself names; else, of a session, the folder in which sessions lie, and of another one, where the recordings
  /// lie in several folders, the folder; else the file.
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
  /// - Parameter tested: the files that are tested by what is learned from the others. Whose a file is goes by one rule for all; that
  ///   both halves lie in a folder each is no reason to take a folder for a person.
  package init(_ files: consuming [MotionFile], personFrom: MotionPersonSource, tested: Set<String> = []) {
    var files = files
    var notices = files.flatMap(\.notices)
    var kinds: [[String]: [Int]] = [:]
    for (index, file) in files.enumerated() { kinds[file.header, default: []].append(index) }
    for indices in kinds.values.sorted(by: { $0[0] < $1[0] }) {
      let units = MotionUnits.units(of: indices.map { files[$0] })
      for (index, units) in zip(indices, units) {
        if let guess = units.guess { notices.append(MotionNotice(text: guess, source: files[index].source)) }
        if !files[index].columns.lacksGravity, let text = units.gravityText(files[index].units) {
          notices.append(MotionNotice(text: text, source: files[index].source))
        }
        files[index].convert(units)
      }
    }
    let labels = Self.ordered(files.flatMap(\.labels))
    let manyFolders = [true, false].contains { isTested in
      Set(files.filter { !$0.isOfSession && tested.contains($0.source) == isTested }.map(\.folder)).count > 1
    }
    if personFrom == .session { notices += Self.joinedSessions(files) }
    var recordings: [MotionRecording] = []
    var names: [String] = []
    for file in files {
      let numbers = file.labels.map { label in Int16(labels.firstIndex(of: label) ?? -1) }
      for var recording in file.recordings {
        for index in recording.labels.indices where recording.labels[index] >= 0 {
          recording.labels[index] = numbers[Int(recording.labels[index])]
        }
        names.append(Self.person(of: recording, file, personFrom, manyFolders: manyFolders))
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

  private static func person(
    of recording: MotionRecording, _ file: MotionFile, _ source: MotionPersonSource, manyFolders: Bool
  ) -> String {
    let folder = FileSystem.name(of: file.folder)
    let name = String(FileSystem.name(of: file.source).prefix { !"_-. ".contains($0) })
    switch source {
    case .folder: return folder
    case .file: return name
    case .session:
      if !recording.statedPerson.isEmpty { return recording.statedPerson }
      return file.isOfSession || manyFolders ? folder : name
    }
  }

  /// That sessions of which none says whose it is are taken for those of one person: of one folder that is likelier than that each
  /// is of somebody else.
  private static func joinedSessions(_ files: [MotionFile]) -> [MotionNotice] {
    var counts: [String: Int] = [:]
    for file in files where file.isOfSession && file.recordings.contains(where: \.statedPerson.isEmpty) {
      counts[file.folder, default: 0] += 1
    }
    return counts.filter { $0.value > 1 }.sorted { $0.key < $1.key }.map { folder, count in
      MotionNotice(
        .init(number: count, noun: "session"),
        problem: "without a person, taken for those of one, \(FileSystem.name(of: folder)): expected sessions of "
          + "profiles (coach live --profile NAME), or those of each person in a folder of their own", source: folder)
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
