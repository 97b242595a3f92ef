package import TextFormats
internal import WorkoutSession
internal import ZoneEngine

extension RecordingFacts {
  /// Writes the record of an inspection as one line.
  package func write(file: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("version", SessionRecords.version)
      writer.member("type", "recording")
      writer.member("file", file)
      writer.member("format", format)
      writer.member("activities", activityCount)
      writer.member("sport", sport)
      writer.member("device", device)
      writer.member("origin", origin?.rawValue)
      writer.member("startTime", start)
      writer.member("endTime", start?.adding(nanoseconds: elapsed.nanoseconds))
      writer.member("elapsedSeconds", secondsFromNanoseconds: elapsed.nanoseconds)
      if let heartRate {
        writer.object("heartRate") { writer in
          writer.member("count", heartRate.statistics.count)
          writer.member("sum", heartRate.statistics.sum)
          writer.member("minimum", heartRate.statistics.minimum)
          writer.member("maximum", heartRate.statistics.maximum)
          writer.member("mean", heartRate.statistics.mean)
          writer.member("first", heartRate.first)
          writer.member("last", heartRate.last)
          writer.member("largestGapSeconds", secondsFromNanoseconds: heartRate.largestGap.nanoseconds)
        }
      }
      if stepSampleCount > 0 {
        writer.object("steps") { writer in
          writer.member("count", stepSampleCount)
          writer.member("total", steps)
        }
      }
      if locationCount > 0 {
        writer.object("location") { writer in
          writer.member("count", locationCount)
          writer.member("distanceMeters", locationMeters)
        }
      }
      if altitudeCount > 0 { writer.object("altitude") { $0.member("count", altitudeCount) } }
      if motionCount > 0 {
        writer.object("motion") { writer in
          writer.member("count", motionCount)
          writer.member("rateHz", motionRateHz)
        }
      }
      beats?.writeObject("beats", to: &writer)
      writer.member("recordedDistanceMeters", recordedMeters)
      writer.member("recordedEnergyKilocalories", statedKilocalories)
      if !labels.isEmpty {
        writer.array("labels") { writer in
          for share in labels.shares(until: elapsed) {
            writer.object { writer in
              writer.member("label", share.text)
              writer.member("count", share.rows)
              writer.member("spans", share.spans)
              writer.member("seconds", secondsFromNanoseconds: share.duration.nanoseconds)
            }
          }
        }
      }
      writer.array("pauses") { writer in
        for pause in pauses {
          writer.object { writer in
            writer.member("fromSeconds", secondsFromNanoseconds: pause.from.nanoseconds)
            writer.member("untilSeconds", secondsFromNanoseconds: pause.until.nanoseconds)
          }
        }
      }
      writer.array("warnings") { writer in
        for warning in warnings {
          writer.object { writer in
            writer.member("kind", warning.kind.rawValue)
            writer.member("position", warning.position)
            writer.member("count", warning.count)
            writer.member("detail", warning.detail)
          }
        }
      }
    }
    writer.endLine()
  }
}
