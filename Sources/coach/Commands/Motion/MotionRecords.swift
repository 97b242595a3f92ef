import ActivityRecognition
import TextFormats

/// What the verbs of motion find out, as records.
enum MotionRecords {
  /// The version of the records.
  static let version = 1

  /// Writes an evaluation.
  static func write(_ evaluation: MotionEvaluation, to writer: inout JSONWriter) {
    let confusion = evaluation.confusion
    writer.object { writer in
      writer.member("version", version)
      writer.member("type", "motionEvaluation")
      writer.member("windows", confusion.total)
      writer.member("people", evaluation.people.count)
      writer.member("network", evaluation.plan.network.rawValue)
      writer.member("accuracy", rounded(confusion.accuracy))
      writer.member("macroF1", rounded(confusion.macroF1))
      if let interval = evaluation.confidence95 {
        writer.array("confidence95") { writer in
          writer.value(rounded(interval.lowerBound))
          writer.value(rounded(interval.upperBound))
        }
      } else {
        writer.nullMember("confidence95")
      }
      if let worst = evaluation.worstPerson {
        writer.object("worstPerson") { writer in
          writer.member("person", worst.name)
          writer.member("macroF1", rounded(worst.macroF1))
        }
      }
      writer.object("confusion") { writer in
        writer.array("labels") { writer in for label in evaluation.labels { writer.value(label) } }
        writer.array("counts") { writer in
          for row in confusion.counts { writer.array { writer in for count in row { writer.value(count) } } }
        }
      }
      writer.array("byPerson") { writer in
        for (person, counts) in zip(evaluation.people, evaluation.byPerson) {
          writer.object { writer in
            writer.member("person", person)
            writer.member("macroF1", rounded(counts.macroF1))
            writer.member("accuracy", rounded(counts.accuracy))
            writer.array("counts") { writer in
              for row in counts.counts { writer.array { writer in for count in row { writer.value(count) } } }
            }
          }
        }
      }
      if !evaluation.unlearnedLabels.isEmpty {
        writer.array("unlearnedLabels") { writer in for label in evaluation.unlearnedLabels { writer.value(label) } }
      }
      writer.member("secondsToTrain", (evaluation.secondsToTrain * 1000).rounded() / 1000)
      writer.member("microsecondsPerWindow", (evaluation.microsecondsPerWindow * 10).rounded() / 10)
      writer.member("secondsToTune", evaluation.secondsToTune.map { ($0 * 1000).rounded() / 1000 })
      writer.member("folds", evaluation.folds)
      writer.member("seed", Int64(clamping: evaluation.plan.seed))
      write(evaluation.plan.shape, to: &writer)
    }
  }

  /// Writes the members of a shape of windows.
  static func write(_ shape: WindowShape, to writer: inout JSONWriter) {
    writer.member("windowSeconds", Double(shape.points) / 100)
    writer.member("stepSeconds", Double(shape.step) / 100)
    writer.member("pastSeconds", Double(shape.pastPoints) / 100)
  }

  /// To six decimals, which is more than there is to know.
  static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
}
