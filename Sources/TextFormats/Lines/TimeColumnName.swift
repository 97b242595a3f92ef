/// How a column of a table writes times, by its name, in whatever kind of table.
package enum TimeColumnName: Hashable, Sendable {
  /// Dates, or numbers whose unit their size says.
  case time
  /// Seconds since the start.
  case seconds
  /// Numbers of a smaller unit.
  case milliseconds
  /// See ``milliseconds``.
  case microseconds
  /// See ``milliseconds``.
  case nanoseconds

  /// Takes a name whose words are in lower case and joined by `_`; `nil` for that of something else.
  package init?(_ name: String) {
    switch name {
    case "time", "timestamp", "datetime", "date_time", "time_utc", "utc_time", "utc", "unix_time", "unixtime",
      "timestamp_s", "unix_s", "loggingtime", "time_stamp", "timestamp_utc", "datetime_utc", "date_time_utc", "epoch",
      "epoch_s", "epoch_time", "unix_timestamp", "unixtimestamp", "iso_time", "local_time", "time_local", "zeit",
      "phone_timestamp", "phone_data_rx_timestamp", "zeitstempel", "zeitpunkt", "datum_zeit", "datum_uhrzeit",
      "datumzeit", "datum_und_uhrzeit":
      self = .time
    case "time_s", "at_s", "at_seconds", "seconds", "secs", "elapsed", "elapsed_s", "elapsed_seconds",
      "seconds_elapsed", "elapsed_time", "time_sec", "t", "t_s", "time_seconds", "time_in_seconds", "elapsed_time_s",
      "elapsed_time_sec", "elapsed_time_seconds", "elapsed_sec", "elapsed_secs", "seconds_since_start",
      "time_since_start", "zeit_s", "zeit_sek", "zeit_in_s", "zeit_in_sekunden", "sekunden", "verstrichene_zeit",
      "vergangene_zeit", "laufzeit":
      self = .seconds
    case "time_ms", "timestamp_ms", "at_ms", "elapsed_ms", "unix_ms", "epoch_ms", "unix_timestamp_ms",
      "elapsed_time_ms", "time_millis", "timestamp_millis", "time_milliseconds", "timestamp_milliseconds",
      "milliseconds", "millis", "zeit_ms", "zeitstempel_ms":
      self = .milliseconds
    case "time_us", "timestamp_us", "unix_us", "epoch_us", "elapsed_us", "time_micros", "timestamp_micros", "zeit_us",
      "zeitstempel_us":
      self = .microseconds
    case "time_ns", "timestamp_ns", "unix_ns", "epoch_ns", "elapsed_ns", "time_nanos", "timestamp_nanos", "zeit_ns",
      "zeitstempel_ns":
      self = .nanoseconds
    default: return nil
    }
  }
}
