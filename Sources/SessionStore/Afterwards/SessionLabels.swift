package import Recordings
internal import TextFormats
internal import WorkoutSession
package import ZoneEngine

/// Labels that are put on a session afterwards, because people forget to while it runs.
///
/// The log of labels alone is written anew, whole or not at all; what sensors measured is never touched.
package enum SessionLabels {
  /// The labels with another one on a stretch: what held there before holds before and after it as it did.
  ///
  /// - Parameter text: empty for no label on the stretch.
  /// - Precondition: the stretch has a length.
  package static func relabelled(
    _ labels: [RecordedLabel], from start: SessionTime, until end: SessionTime, as text: String
  ) -> [RecordedLabel] {
    precondition(start < end, "a stretch has a length")
    let after = labels.last { $0.time <= end }?.text ?? ""
    var changes = labels.filter { $0.time < start }
    changes += [RecordedLabel(text, at: start), RecordedLabel(after, at: end)]
    changes += labels.filter { $0.time > end }
    // What says the same as the one before, or nothing at the beginning, says nothing.
    return changes.reduce(into: []) { kept, change in
      if change.text != kept.last?.text ?? "" { kept.append(change) }
    }
  }

  /// Puts a label on a stretch of a recorded session.
  ///
  /// - Throws: `FileError` when the log cannot be written, `RecordingError` when it cannot be read; it is then as it was.
  package static func put(
    _ text: String, from start: SessionTime, until end: SessionTime, on recording: SessionFolderRecording
  ) throws {
    try write(relabelled(try recording.labels(), from: start, until: end, as: text), on: recording)
  }

  /// Puts what is labelled of a session on another one of the same workout, at the same times of the day as far as that one
  /// lasted; stretches without a label stay there as they are.
  ///
  /// - Parameters:
  ///   - old: the session that has the labels, and how long it lasted.
  ///   - new: the session that gets them, and how long it lasted.
  /// - Returns: whether anything changed.
  /// - Throws: `FileError` when the log cannot be written, `RecordingError` when one cannot be read; it is then as it was.
  package static func carry(
    from old: (recording: SessionFolderRecording, length: SessionTime),
    to new: (recording: SessionFolderRecording, length: SessionTime)
  ) throws -> Bool {
    let carried = try old.recording.labels()
    let before = try new.recording.labels()
    let shift = SessionTime(
      nanoseconds: old.recording.manifest.start.nanoseconds - new.recording.manifest.start.nanoseconds)
    var labels = before
    for (index, label) in carried.enumerated() where !label.text.isEmpty {
      let end = index + 1 < carried.count ? carried[index + 1].time : old.length
      let stretch = (from: max(.zero, label.time + shift), until: min(end + shift, new.length))
      guard stretch.from < stretch.until else { continue }
      labels = relabelled(labels, from: stretch.from, until: stretch.until, as: label.text)
    }
    guard labels != before else { return false }
    try write(labels, on: new.recording)
    return true
  }

  private static func write(_ labels: [RecordedLabel], on recording: SessionFolderRecording) throws {
    var bytes = Array((SessionFolder.labelsHeader + "\n").utf8)
    for label in labels { SampleRow.append([label.text], at: label.time, start: recording.manifest.start, to: &bytes) }
    let file = try PendingFile(recording.path + "/" + SessionFolder.labels)
    try file.write(bytes.span)
    try file.commit(replacing: true)
  }
}
