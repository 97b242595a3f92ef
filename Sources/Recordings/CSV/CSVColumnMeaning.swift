internal import ActivityRecognition

extension CSVColumns {
  /// What a column holds.
  package enum Meaning: Hashable, Sendable {
    /// Date with time of day, Unix seconds or milliseconds, seconds since the start or a time of day: the values decide.
    case time
    /// A time of day, whatever the values look like.
    case timeOfDay
    /// A day of the calendar, or the whole time where no other column gives one.
    case date
    /// Parts of a time of day, where there is no column for the whole.
    case hour
    case minute
    case second
    /// Seconds since the start.
    case relativeSeconds
    /// Milliseconds since the start or the Unix epoch, or microseconds or nanoseconds by the name of the column.
    case milliseconds
    case heartRate
    case steps
    case cumulativeSteps
    case cadence
    /// Only files made from FIT have it: their cadence counts the strides of one leg.
    case fractionalCadence
    /// Metres since the start, after multiplication with the factor.
    case distance(factor: Double)
    /// Metres per second, after multiplication with the factor.
    case speed(factor: Double)
    case latitude
    case longitude
    case altitude
    case horizontalAccuracy
    case verticalAccuracy
    case acceleration(axis: Int)
    /// What is added to an acceleration from which gravity was taken.
    case gravity(axis: Int)
    case rotationRate(axis: Int)
    case magneticField(axis: Int)
    /// What somebody noted of the rows, such as `WALKING`.
    case label
    /// The number of a stretch of rows whose times since the start begin anew.
    case trial
    /// Milliseconds between two beats.
    case rrInterval
    /// A value of a direction, by its place among ``CSVColumns/directionColumns`` but for the first, which is
    /// ``verticalAccuracy``.
    case direction(value: Int)
  }
}

/// The words that people and programs use for what a column holds.
extension CSVColumns.Meaning {
  /// What a column of a known name holds; a name is normalized. A table of all names would be made for each file that is read.
  static func named(_ word: String, beside words: [String]) -> Self? {
    switch TimeColumnName(word) {
    case .time: return .time
    case .seconds: return .relativeSeconds
    case .milliseconds, .microseconds, .nanoseconds: return .milliseconds
    case nil: break
    }
    return switch word {
    // Beside LF it is a power of the heart rate's variability.
    case "hf": words.contains("lf") ? nil : .heartRate
    case "time_of_day", "clock_time", "clock", "uhrzeit": .timeOfDay
    case "date", "datum": .date
    case "hour", "hours", "hh", "stunde", "stunden": .hour
    case "minute", "minutes", "min", "mins", "minuten": .minute
    case "second", "sec", "sekunde": .second
    case "heart_rate", "heart_rate_bpm", "heartrate", "heartrate_bpm", "heartbeat", "hr", "hr_bpm", "bpm", "pulse",
      "heart_beat", "heart_rate_value", "beats_per_minute", "heart_rate_beats_per_minute", "pulse_bpm", "pulse_rate",
      "value_bpm", "hrate", "hr_cur", "sensor_heartrate", "sensor_heart_rate", "herzfrequenz", "herzfrequenz_bpm",
      "herzrate", "herzrate_bpm", "puls", "puls_bpm", "pulsfrequenz",
      "hf_bpm":
      .heartRate
    case "steps", "step_count", "stepcount", "steps_count", "number_of_steps", "num_steps", "schritte", "schrittzahl",
      "schrittanzahl", "anzahl_schritte":
      .steps
    case "steps_cumulative", "cumulative_steps", "total_steps", "steps_total", "cumulative_step_count",
      "total_step_count", "schritte_gesamt", "gesamtschritte", "schritte_kumuliert":
      .cumulativeSteps
    case "cadence", "cadence_spm", "cad", "run_cadence", "cadence_steps_per_minute", "step_rate", "running_cadence",
      "step_cadence", "steps_per_minute", "spm", "schrittfrequenz", "schrittfrequenz_spm", "trittfrequenz", "kadenz",
      "kadenz_spm":
      .cadence
    case "fractional_cadence": .fractionalCadence
    case "label", "labels", "activity", "activity_label", "activity_name", "activityname", "label_name", "class", "tag",
      "ground_truth":
      .label
    case "trial", "trial_number": .trial
    case "rr_ms", "rr_interval_ms", "rr_intervals_ms", "rri_ms", "ibi_ms", "nn_ms", "rr", "rr_interval", "rr_intervals",
      "rrinterval", "rrintervals", "rri", "ibi", "nn", "nn_interval", "nn_intervals", "nn_interval_ms", "rr_s",
      "rr_interval_s", "ibi_s", "nn_s", "rr_intervall", "rr_abstand":
      .rrInterval
    case "vertical_accuracy", "vertical_accuracy_m", "altitude_accuracy", "altitude_accuracy_m", "altitudeaccuracy",
      "verticalaccuracy":
      .verticalAccuracy
    case "speed_accuracy", "speed_accuracy_m_s", "speed_accuracy_mps", "speedaccuracy": .direction(value: 1)
    case "course", "course_deg", "bearing", "bearing_deg", "course_degrees", "bearing_degrees", "kurs":
      .direction(value: 2)
    case "course_accuracy", "course_accuracy_deg", "bearing_accuracy", "bearing_accuracy_deg", "courseaccuracy",
      "bearingaccuracy":
      .direction(value: 3)
    case "heading", "heading_deg", "heading_degrees", "true_heading": .direction(value: 4)
    case "heading_accuracy", "heading_accuracy_deg", "headingaccuracy": .direction(value: 5)
    case "distance", "distance_m", "distance_meters", "distance_metres", "dist", "total_distance",
      "cumulative_distance", "distanz", "distanz_m", "strecke", "strecke_m", "entfernung", "entfernung_m", "dist_m":
      .distance(factor: 1)
    case "distance_km", "km", "dist_km", "distanz_km", "strecke_km", "entfernung_km": .distance(factor: 1_000)
    case "distance_mi", "distance_miles", "miles", "dist_mi": .distance(factor: 1_609.344)
    case "speed", "speed_m_s", "speed_mps", "enhanced_speed", "speed_ms", "speed_meters_per_second", "velocity",
      "velocity_smooth", "velocity_m_s", "velocity_mps", "gps_speed", "geschwindigkeit", "geschwindigkeit_m_s":
      .speed(factor: 1)
    case "speed_kmh", "speed_km_h", "speed_kph", "speed_kmph", "kph", "kmh", "km_h", "geschwindigkeit_km_h",
      "geschwindigkeit_kmh":
      .speed(factor: 1 / 3.6)
    case "speed_mph", "mph": .speed(factor: 0.447_04)
    // A letter with two points that is not UTF-8 is a gap between words.
    case "latitude", "lat", "latitude_deg", "latitude_degrees", "position_lat", "lat_deg", "gps_lat", "gps_latitude",
      "location_latitude", "breitengrad", "geografische_breite", "geographische_breite":
      .latitude
    case "longitude", "lon", "lng", "long", "longitude_deg", "longitude_degrees", "position_long", "lon_deg", "lng_deg",
      "gps_lon", "gps_lng", "gps_long", "gps_longitude", "location_longitude", "längengrad", "laengengrad",
      "l_ngengrad", "geografische_länge", "geographische_länge":
      .longitude
    case "altitude", "altitude_m", "alt", "elevation", "elevation_m", "ele", "enhanced_altitude", "altitude_meters",
      "altitude_metres", "elevation_meters", "elevation_metres", "alt_m", "ele_m", "gps_altitude", "höhe", "höhe_m",
      "hoehe", "hoehe_m", "h_he", "h_he_m", "meereshöhe":
      .altitude
    case "horizontal_accuracy", "horizontal_accuracy_m", "accuracy", "accuracy_m", "coordinate_accuracy",
      "coordinateaccuracy", "gps_accuracy", "horizontalaccuracy", "genauigkeit", "genauigkeit_m":
      .horizontalAccuracy
    default: nil
    }
  }

  /// What a column of the motion sensors holds.
  init(_ name: MotionColumnName) {
    switch name.quantity {
    case .acceleration, .userAcceleration: self = .acceleration(axis: name.axis)
    case .gravity: self = .gravity(axis: name.axis)
    case .rotationRate: self = .rotationRate(axis: name.axis)
    case .magneticField: self = .magneticField(axis: name.axis)
    }
  }
}
