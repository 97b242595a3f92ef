/// Small CSV files in the manners of several programs.
enum CSVSeeds {
  static let all = [
    InputCheck.Seed("seconds", "time_s,heart_rate_bpm\n0,120\n1,121\n2.5,122\n"),
    InputCheck.Seed(
      "dates",
      "time,hr,steps,lat,lon,\"distance (m)\",note\n2026-05-04T06:07:08Z,120,3,46.77,23.59,0,\"a \"\"b\"\", c\"\n"
        + "2026-05-04T06:07:09.5+02:00,121.5,,46.7701,23.59,2.5,\n"),
    InputCheck.Seed("unix-times", "timestamp;hr;speed_kmh\n1777874828;120;10,5\n1777874829;121;10,8\n"),
    InputCheck.Seed("milliseconds", "time_ms\tbpm\tcadence\tfractional_cadence\n0\t99\t80\t0.5\n1000\t98\t81\t0\n"),
    InputCheck.Seed("minutes", "elapsed,pulse,steps_cumulative\n0:00,100,0\n0:30,101,40\n1:00:01.25,102,9000\n"),
    InputCheck.Seed(
      "motion",
      "at_s,acc_x,acc_y,acc_z,gyro_x,gyro_y,gyro_z,mag_x,mag_y,mag_z\n0,0,0,1,0.1,0.2,0.3,20,0,40\n0.02,,,1,,,,,,\n"),
    InputCheck.Seed(
      "absent", "time,hr,altitude,accuracy,lat,lng\n0,N/A,1,5,1,2\n1,-1,,,,\n2,255,null,-,NaN,None\n3,0,9,9,90,180\n"),
    InputCheck.Seed("out-of-order", "time,hr\n5,120\n3,121\n4,122\n3,123\n"),
    InputCheck.Seed("damaged", "\u{FEFF}# made up\r\n\r\ntime,hr\r\n0,120\r\n1\r\nx,1\r\n2,abc\r\n3,123\r\n4,12"),
    InputCheck.Seed("same-instant", "time,hr,steps\n0,120,1\n0,121,2\n1,122,3\n"),
    InputCheck.Seed(
      "german",
      "sep=;\nDatum;Uhrzeit;Puls;Strecke;Notiz\n20.11.2026;07:00:00 Uhr;120;1,5;\"a\nb\"\n"
        + "20.11.2026;07:00:01 Uhr;121;1.234;\n"),
    InputCheck.Seed("returns", "timestamp,hr,rr\r1777874828000000,120,0.5\r1777874829000000,121,0.51\r"),
    InputCheck.Seed(
      "polar-flow",
      "Name,Sport,Date,Start time,Duration,\nA,RUNNING,04-05-2026,06:07:08,00:00:01,\n\n"
        + "Sample rate,Time,HR (bpm),Cadence,Distances (m),\n1,00:00:00,120,85,0.0,\n,00:00:01,121,86,2.5,\n"),
    InputCheck.Seed("spreadsheet", "date,time,steps\n46146,0.254953704,3\n46146,0.254965278,4\n"),
    InputCheck.Seed("far-apart", "time,hr\n1970-01-01,120\n2026-01-01,121\n2026-01-02 03:04:05,122\n"),
  ]
}
