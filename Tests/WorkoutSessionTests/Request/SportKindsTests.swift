import Testing
import WorkoutSession

@Suite("What the name of a sport says")
struct SportKindsTests {
  @Test(
    "A sport has the label of another one only where a whole word names it",
    arguments: [
      ("horseback_riding", "horseback_riding"), ("motorcycling", "motorcycling"), ("motorbike ride", "motorbike ride"),
      ("skipping rope", "skipping rope"), ("throwing", "throwing"), ("swimrun", "multisport"),
      ("swim_run", "multisport"), ("swimbikerun", "multisport"), ("wheelchair_push_run", "wheelchair_push_run"),
      ("wheelchairwalkpace", "wheelchairwalkpace"), ("water_skiing", "water_skiing"), ("growing", "growing"),
      ("horseback_riding+cycling", "multisport"),
      ("triathlon", "multisport"), ("Triathlon", "multisport"), ("Sprint Triathlon", "multisport"),
      ("pool_triathlon", "multisport"), ("duathlon", "multisport"), ("Aquathlon", "multisport"),
      ("aquabike", "multisport"), ("multisport", "multisport"),
      ("triathlon run", "multisport"), ("decathlon", "decathlon"), ("wheelchair triathlon", "wheelchair triathlon"),
      // The numbers of Strava.
      ("1", "cycling"), ("4", "hiking"), ("9", "running"), ("10", "walking"), ("17", "cycling"), ("1+9", "multisport"),
      ("1000", "1000"),
      // German, French, Spanish and Italian.
      ("Radfahren", "cycling"), ("Laufen", "running"), ("Waldlauf", "running"), ("Laufband", "treadmill"),
      ("Gehen", "walking"), ("Wandern", "hiking"), ("Rudern", "rowing"), ("Langlaufen", "skiing"),
      ("Ski laufen", "skiing"), ("Inline laufen", "Inline laufen"), ("Motorradfahren", "Motorradfahren"),
      ("Course à pied", "running"), ("course", "course"), ("Tapis de course", "treadmill"), ("Vélo", "cycling"),
      ("Ve\u{301}lo", "cycling"), ("Randonnée", "hiking"), ("Marche nordique", "walking"), ("Ciclismo", "cycling"),
      ("Correr", "running"), ("Senderismo", "hiking"), ("Caminata", "walking"), ("Corsa", "running"),
      ("Camminata", "walking"), ("Bicicletta", "cycling"), ("Sci di fondo", "skiing"), ("Canottaggio", "rowing"),
      // What was right before stays as it was.
      ("running", "running"), ("Trail Run", "running"), ("trailrun", "running"), ("parkrun", "running"),
      ("treadmill_running", "treadmill"), ("treadmill", "treadmill"), ("jogging", "running"),
      ("canicrossrunning", "running"), ("run/walk", "running"), ("nordicwalking", "walking"),
      ("speed_walking", "walking"), ("trekking", "hiking"), ("mountain_biking", "cycling"), ("e_biking", "cycling"),
      ("emountainbikeride", "cycling"), ("virtual_ride", "cycling"), ("handcycling", "cycling"),
      ("bicycling", "cycling"), ("cyclocross", "cycling"), ("indoor_rowing", "rowing"), ("indoorrowing", "rowing"),
      ("nordicski", "skiing"),
      ("crosscountryskiing", "skiing"), ("cross_country_skiing", "skiing"), ("skate_skiing", "skiing"),
      ("elliptical", "elliptical"), ("swimming", "swimming"), ("stand_up_paddleboarding", "stand_up_paddleboarding"),
    ])
  func labels(sport: String, label: String) {
    #expect(Activity(ofSport: sport).label == label)
  }

  @Test("What carries is not on foot, whatever else its name says, and no step is made of its cadence")
  func feet() {
    for sport in ["run", "walking", "hike", "treadmill", "march", "run/walk", "Parkrun", "joggen"] {
      #expect(RecordedSport.isOnFoot(sport), "\(sport)")
      #expect(!RecordedSport.isOffFoot(sport), "\(sport)")
    }
    for sport in [
      "horseback_riding", "motorcycling", "wheelchair_push_run", "wheelchairrunpace", "swimrun", "rowing", "ride",
      "spin", "openwaterswimming", "inlineskate", "standuppaddling", "canoeing", "ski", "e-bike",
    ] {
      #expect(!RecordedSport.isOnFoot(sport), "\(sport)")
      #expect(RecordedSport.isOffFoot(sport), "\(sport)")
    }
    for sport in [
      "skipping rope", "throwing", "trunk", "prune", "bridge", "spine", "yoga", "multisport", "triathlon", "",
    ] {
      #expect(!RecordedSport.isOnFoot(sport), "\(sport)")
      #expect(!RecordedSport.isOffFoot(sport), "\(sport)")
    }
  }

  @Test("What is more than steps, for all of it or for a part, is known; a name that says nothing is not")
  func moreThanSteps() {
    for sport in ["Biking", "ride", "rowing", "swimrun", "running+cycling", "multisport", "triathlon", "elliptical"] {
      #expect(RecordedSport.isMoreThanSteps(sport), "\(sport)")
    }
    for sport in ["running", "run/walk", "hiking", "treadmill", "other", "yoga", ""] {
      #expect(!RecordedSport.isMoreThanSteps(sport), "\(sport)")
    }
  }

  @Test("A label of one's own is believed as fast, and read as a speed, as its words say")
  func speeds() throws {
    for (label, fastest, isOnWheels) in [
      ("parkrun", 7, false), ("Horse riding", 30, true), ("wheelchair", 30, true), ("throwing", 30, false),
      ("swimming", 30, false), ("elliptical", 30, false), ("Gravel ride", 30, true),
    ] {
      let activity = try #require(Activity(label))
      #expect(activity.fastestMetersPerSecond == Double(fastest), "\(label)")
      #expect(activity.isOnWheels == isOnWheels, "\(label)")
    }
  }

  @Test("A name of any length and of any characters is looked at in time")
  func anyText() {
    let names = [
      String(repeating: "run", count: 10_000), String(repeating: "bikerun", count: 5) + "x",
      "ru\u{301}n", "run\u{0}run",
      String(repeating: "run ", count: 10_000), "👟run", "\u{202E}nur",
    ]
    for name in names { _ = RecordedSport.isOnFoot(name) != RecordedSport.isOffFoot(name) }
    #expect(!RecordedSport.isOnFoot("ru\u{301}n"))
    #expect(RecordedSport.isOnFoot("👟run"))
    #expect(RecordedSport.isOffFoot("ridewalkridewalkx") == false)
  }
}
