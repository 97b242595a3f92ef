/// Small studies that use every key of the format.
enum StudySeeds {
  static let all = [
    InputCheck.Seed("smallest", study(courses: [course()])),
    InputCheck.Seed(
      "named",
      study(
        #""name":"t","purpose":"p","maximumHeartRateBPM":190,"formula":"tanaka","#,
        courses: [course(#""activity":"run","target":"120-140","#)])),
    InputCheck.Seed(
      "arms",
      study(courses: [
        course(
          arms:
            #""none",{"name":"M","strategy":"moment:every=60,jitter=20,hold=0","seconds":90},"zone-change","trend""#,
          #","contrasts":[["M","none"],["M","M"]]"#)
      ])),
    InputCheck.Seed(
      "observed",
      study(courses: [
        course(
          arms: #""none",{"name":"M","strategy":"moment"},{"name":"P","strategy":"period"}"#,
          #","observed":{"arms":["none","M","P"],"timeInTarget":[0,0.51,1e0],"source":"two people"}"#)
      ])),
    InputCheck.Seed("model", study(courses: [course(model), course(#""activity":"run","target":"z3","#)])),
    InputCheck.Seed(
      "behaviours",
      study(
        behaviours: #""reflex:compliance=0.3,latency=2,step=0.2,magnitude=0","relapse:tau=30","#
          + #""visible:gain=0.5,interval=10+anticipate:rho=spread,lead=15,unforeseen=never","#
          + #""reflex:artifact=0.5,artifactSeconds=60,dropout=0.5,dropoutSeconds=30""#,
        courses: [course(arms: #""period:every=60,window=60""#)])),
  ]

  private static let model = """
    "activity":"walk","target":"weight-control","model":{"trueMaximumOffsetBPM":{"value":0,"spread":10.8,"source":"s"},
    "restingHeartRateBPM":{"value":65,"spread":8,"assumption":true},"biasDayShare":{"value":0.5,"assumption":"a"},
    "maximalOxygenUptake":{"value":45,"spread":0,"assumption":true},"sensorIntervalSeconds":{"value":15,"source":"s"},
    "timeConstantSeconds":{"value":5,"spread":100,"source":"s"},"speedLagSeconds":{"value":1,"source":"s"},
    "complianceShare":{"value":1,"spread":0.3,"assumption":true},"gradeNoise":{"value":0.1,"assumption":true}},
    """

  private static func study(
    _ members: String = #""ageYears":23,"#, behaviours: String = #""reflex""#, courses: [String]
  ) -> String {
    """
    {"version":1,"seed":1,"runners":20,\(members)"behaviours":[\(behaviours)],
    "courses":[\(courses.joined(separator: ",\n"))]}
    """
  }

  private static func course(
    _ members: String = #""activity":"walk","target":"z2","#, arms: String = #""moment:every=60""#, _ more: String = ""
  ) -> String { #"{\#(members)"seconds":120,"arms":[\#(arms)]\#(more)}"# }
}
