// Reads a recording of any format and prints what it holds, then the time in the zones of a maximum heart rate:
//
//     swift run read-recordings run.fit 190

import Glibc
import Recordings
import ZoneEngine

/// How long each heart rate of a recording was held: until the next one, 15 s at most, and not in a pause.
func heldHeartRate(in recording: Recording) throws -> HeldHeartRate {
  var held = HeldHeartRate()
  var last: (displayedBPM: Int, time: SessionTime)?
  let pauses = recording.facts.pauses
  func hold(until time: SessionTime) {
    guard let last else { return }
    let until = min(time, last.time + CoachingEngine.holdLimit)
    let paused = pauses.reduce(SessionTime.zero) { sum, pause in
      sum + max(.zero, min(pause.until, until) - max(pause.from, last.time))
    }
    held.add(until - last.time - paused, displayedBPM: last.displayedBPM)
  }
  try recording.forEachSample { sample in
    guard case .heartRate(let beatsPerMinute) = sample.reading, SignalFilter.plausible.contains(beatsPerMinute) else {
      return
    }
    hold(until: sample.time)
    last = (HeartRateZones.displayed(beatsPerMinute), sample.time)
  }
  hold(until: recording.facts.elapsed)
  return held
}

/// Prints what a recording holds, and the time in each zone.
func report(path: String, maximum: Int) throws {
  let recording = try Recording(path: path)
  let facts = recording.facts
  print("\(path): \(facts.format), \(facts.sport ?? "no sport"), \(facts.elapsed.seconds) s")
  print("samples: \(facts.sampleCount), positions: \(facts.locationCount), pauses: \(facts.pauses.count)")
  if let heartRate = facts.heartRate, let mean = heartRate.statistics.mean {
    print("heart rate: \(heartRate.statistics.count) readings, \(mean.rounded()) bpm on average")
  }
  for warning in facts.warnings { print("warning: \(warning.kind) at \(warning.position), \(warning.count) times") }
  let zones = HeartRateZones(percentOf: try MaximumHeartRate(measured: maximum))
  for (band, duration) in try heldHeartRate(in: recording).durations(in: zones) {
    print("\(band): \(duration.seconds) s")
  }
}

guard CommandLine.arguments.count == 3, let maximum = Int(CommandLine.arguments[2]) else {
  print("usage: read-recordings FILE MAXIMUM-HEART-RATE")
  exit(64)
}
do {
  try report(path: CommandLine.arguments[1], maximum: maximum)
} catch {
  print("read-recordings: \(error)")
  exit(65)
}
