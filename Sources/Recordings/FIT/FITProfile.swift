/// The numbers of the FIT profile that are read here: kinds of messages and their fields.
///
/// Source: Garmin, FIT SDK, *Global FIT Profile* (Profile.xlsx).
package enum FITProfile {
  /// The kinds of messages.
  package enum Message {
    package static let fileID: UInt16 = 0
    static let sport: UInt16 = 12
    package static let session: UInt16 = 18
    package static let lap: UInt16 = 19
    package static let record: UInt16 = 20
    package static let event: UInt16 = 21
    package static let deviceInfo: UInt16 = 23
    static let activity: UInt16 = 34
    package static let beats: UInt16 = 78
    static let heartRate: UInt16 = 132
    package static let fieldDescription: UInt16 = 206
    package static let developer: UInt16 = 207
  }

  /// The field of every message that holds its time.
  package static let timestamp: UInt8 = 253

  /// The fields of a record.
  package enum Record {
    /// Semicircles: 2³¹ are 180 degrees.
    package static let latitude: UInt8 = 0
    package static let longitude: UInt8 = 1
    /// Fifths of a metre from 500 m below the sea.
    static let altitude: UInt8 = 2
    package static let enhancedAltitude: UInt8 = 78
    package static let heartRate: UInt8 = 3
    /// Strides of one leg or turns of the crank per minute, and 128ths of it.
    package static let cadence: UInt8 = 4
    package static let fractionalCadence: UInt8 = 53
    /// 256ths.
    static let cadence256: UInt8 = 52
    /// Centimetres.
    package static let distance: UInt8 = 5
    /// Millimetres per second.
    static let speed: UInt8 = 6
    package static let enhancedSpeed: UInt8 = 73
    /// Three bytes: 12 bits of speed in centimetres per second, 12 bits of distance in sixteenths of a metre, both the
    /// least significant ones.
    static let compressedSpeedDistance: UInt8 = 8
    /// Strides of one leg or turns of the crank: the least significant 8 bits, and all.
    static let cycles: UInt8 = 18
    package static let totalCycles: UInt8 = 19
    /// Metres.
    package static let positionAccuracy: UInt8 = 31
  }

  /// The fields of what a file says of the whole activity.
  enum Activity {
    /// The same instant as that of the message, on the clock of the place.
    static let localTimestamp: UInt8 = 5
  }

  /// The fields of an event, and the values that matter.
  package enum Event {
    package static let event: UInt8 = 0
    package static let type: UInt8 = 1
    package static let timer = 0
    package static let start = 0
    /// stop, stop_all, stop_disable, stop_disable_all.
    static let stops: [Int] = [1, 4, 8, 9]
  }

  /// The fields of a lap and of a session that state its time.
  enum Timing {
    /// As a message's time.
    static let start: UInt8 = 2
    /// Milliseconds, with pauses and without them.
    static let elapsed: UInt8 = 7
    static let timer: UInt8 = 8
  }

  /// The fields of a lap that say which step of a plan it was.
  package enum Lap {
    package static let intensity: UInt8 = 23
    /// The intensities that every watch knows, but the active one, by the names of steps.
    package static let intensities: [String: UInt8] = ["rest": 1, "warm-up": 2, "cool-down": 3]
    package static let trigger: UInt8 = 24
    static let sport: UInt8 = 25
    static let subSport: UInt8 = 39
  }

  /// The fields of a session.
  package enum Session {
    package static let sport: UInt8 = 5
    package static let subSport: UInt8 = 6
    /// Centimetres.
    package static let totalDistance: UInt8 = 9
    /// Strides of one leg or turns of the crank, and 128ths of it.
    package static let totalCycles: UInt8 = 10
    /// Kilocalories.
    package static let totalCalories: UInt8 = 11
    package static let totalFractionalCycles: UInt8 = 94
  }

  /// The fields of a sport.
  enum Sport {
    static let sport: UInt8 = 0
    static let subSport: UInt8 = 1
  }

  /// The fields of a file's own description.
  package enum FileID {
    static let type: UInt8 = 0
    /// The type of a course.
    static let course = 6
    package static let manufacturer: UInt8 = 1
    package static let product: UInt8 = 2
    static let productName: UInt8 = 8
  }

  /// The fields of the description of a device.
  package enum DeviceInfo {
    /// 0 is the device that recorded.
    package static let index: UInt8 = 0
    package static let manufacturer: UInt8 = 2
    static let product: UInt8 = 4
    package static let productName: UInt8 = 27
  }

  /// The fields of a message of heart rates.
  enum HeartRate {
    /// 32,768ths of a second.
    static let fractionalTimestamp: UInt8 = 0
    /// Beats per minute, several.
    static let filteredRate: UInt8 = 6
    /// 1,024ths of a second of a clock of its own, several.
    static let eventTimestamp: UInt8 = 9
    /// Their least significant 12 bits, packed: two in three bytes.
    static let eventTimestamp12: UInt8 = 10
  }

  /// The fields of a message of intervals between beats.
  package enum Beats {
    /// Thousandths of a second, several.
    package static let time: UInt8 = 0
  }

  /// The fields of what a file says of a developer.
  package enum Developer {
    /// Sixteen bytes of the developer's choice.
    package static let application: UInt8 = 1
    package static let index: UInt8 = 3
    package static let version: UInt8 = 4
  }

  /// The fields of the description of a developer's field.
  package enum FieldDescription {
    package static let developer: UInt8 = 0
    package static let number: UInt8 = 1
    package static let baseType: UInt8 = 2
    package static let name: UInt8 = 3
    /// What a value is divided by, and what is then taken from it.
    static let scale: UInt8 = 6
    static let offset: UInt8 = 7
    package static let unit: UInt8 = 8
    /// The message and the field of the profile that it stands for.
    static let nativeMessage: UInt8 = 14
    static let nativeField: UInt8 = 15
  }
}
