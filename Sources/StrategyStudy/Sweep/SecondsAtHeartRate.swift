package import ZoneEngine

/// How many seconds of a session each displayed heart rate was held: time in zone, time in target and training load are
/// sums over it.
package struct SecondsAtHeartRate: Hashable, Sendable {
  /// The seconds at each heart rate from 0 to 255; at 0 stand those without one.
  package private(set) var seconds = [UInt32](repeating: 0, count: 256)

  /// The heart rates between the lowest and the highest that were held.
  private var range = 1..<1

  /// Counts a session; what is held at its end takes no time.
  package init(_ held: HeldSeconds) {
    // Neighbours are often equal, and a counter cannot be read before it was written: four of them take turns.
    var a = InlineArray<256, UInt32>(repeating: 0)
    var b = a
    var c = a
    var d = a
    let heartRates = held.displayedBPM.span
    let end = heartRates.count - 1
    var second = 0
    while second &+ 8 <= end {
      for half in 0..<2 {
        let place = second &+ 4 &* half
        unsafe a[Int(heartRates[unchecked: place])] &+= 1
        unsafe b[Int(heartRates[unchecked: place &+ 1])] &+= 1
        unsafe c[Int(heartRates[unchecked: place &+ 2])] &+= 1
        unsafe d[Int(heartRates[unchecked: place &+ 3])] &+= 1
      }
      second &+= 8
    }
    while second < end {
      a[Int(heartRates[second])] &+= 1
      second += 1
    }
    for bpm in 0..<256 { seconds[bpm] = a[bpm] &+ b[bpm] &+ c[bpm] &+ d[bpm] }
    guard let lowest = seconds.dropFirst().firstIndex(where: { $0 != 0 }) else { return }
    range = lowest..<(seconds.lastIndex { $0 != 0 } ?? lowest) + 1
  }

  /// Seconds without a heart rate.
  package var noData: Int { Int(seconds[0]) }

  /// The seconds in each band, in the order of the lanes of a scale; those without a heart rate come first.
  package func secondsInLanes(_ scale: BandScale) -> [Int] {
    var result = [Int](repeating: 0, count: scale.laneCount)
    result[0] = noData
    for bpm in range { result[Int(scale.lanes[bpm])] += Int(seconds[bpm]) }
    return result
  }

  /// The seconds in a target.
  package func inTarget(_ target: ResolvedTarget) -> Int {
    var result = 0
    for bpm in range where target.side(ofDisplayedBPM: bpm) == .inside { result += Int(seconds[bpm]) }
    return result
  }

  /// The training load by Banister, digit for digit that of ``TrainingLoad/banister(_:restingBPM:maximumBPM:sex:)``; 0 where that is
  /// `nil`.
  ///
  /// - Precondition: `restingBPM` is below `maximumBPM`.
  package func banister(restingBPM: Int, maximumBPM: Int, sex: Sex) -> Double {
    var sum = 0.0
    for bpm in range where seconds[bpm] != 0 {
      sum +=
        Double(seconds[bpm])
        * TrainingLoad.banisterPerMinute(
          beatsPerMinute: Double(bpm), restingBPM: restingBPM, maximumBPM: maximumBPM, sex: sex)
    }
    return sum / 60
  }
}
