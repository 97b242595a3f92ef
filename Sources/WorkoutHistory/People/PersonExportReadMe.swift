/// The data dictionary that goes with all data of a person.
enum PersonExportReadMe {
  static let text = """
    All data that coach keeps of one person
    =======================================

    profile.json   who the person is: identity, name, birth date, sex, the terms of a study, and weight and heart rates
                   with the day from which on they hold, whether they were measured or estimated, and how. It is not
                   there when the profile was deleted and the sessions were kept.
    sessions.csv   a row for each session.
    sessions/      a folder for each session, as it was recorded or imported.

    Times are ISO 8601 in UTC. What is not known is an empty field, or a member that is not there. Every JSON file has a
    "version".

    sessions.csv
    ------------
    session                  the name of the folder in sessions/
    start_time               when it began
    utc_offset_s             how far the clock of its place was ahead of UTC, seconds
    activity                 what the person did
    state                    complete, or recovered when the recording was cut off
    elapsed_s, active_s      from start to end, and without the pauses, seconds
    no_data_s                active time without a heart rate, seconds
    in_target_s              active time in the target, seconds
    compliance               in_target_s by the active time with a target and a heart rate, 0 to 1
    mean_heart_rate_bpm      mean of the accepted heart rates, beats per minute; minimum_ and maximum_ likewise
    distance_m, steps        metres, steps
    energy_kcal              kilocalories by heart rate
    strategy, target         what was asked for
    zone_model               how the zones were made
    origin                   live, imported, or simulated, when no person was measured

    A folder in sessions/
    ---------------------
    manifest.json            what was true on the day: values with their dates, zones, target, strategy; the person by the name
                             of today
    heart_rate.csv           time, at_s (seconds since the start, empty for what decided nothing), heart_rate_bpm
    steps.csv                time, at_s, steps since the row before
    location.csv             time, at_s, degrees, metres, metres per second
    altitude.csv             time, at_s, metres above the sea beside no position
    motion.csv               time, at_s, acceleration in g, rotation in rad/s, magnetic field in uT
    motion.bin               the same in binary, where that was asked for: coach motion text motion.bin makes motion.csv of it
    rr.csv                   time, at_s, milliseconds between two beats
    direction.csv            time, at_s, accuracy of altitude (m) and speed (m/s), course and heading (degrees from true north)
                             and their accuracies
    cadence.csv, distance.csv, speed.csv
                             steps per minute, metres, metres per second
    heart_rate_standby.csv   heart rates of a source that was not in charge
    rr_standby.csv           milliseconds between two beats of the same, and of heart rates that came late or twice
    commands.csv             pause, resume, lap, stop, and how many rows of each log came before
    decisions.jsonl          every cue, every cue that was withheld, and why, a JSON object a line
    summary.json             totals at the end; secondsInBand adds up to activeSeconds

    """
}
