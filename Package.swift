// swift-tools-version: 6.2
import PackageDescription

/// The same strictness everywhere: a warning is an error, memory safety is explicit, an existential says `any`.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// What targets that compute are built with. The tests put long sessions and thousands of made ones through them, so that `make` has
/// them optimised in its debug builds too, with every check of those. Nobody else does: who depends on a library by its version may have
/// no such flags, and a debugger shows every value.
let computing: [SwiftSetting] =
  Context.environment["COACH_FAST_TESTS"] == "1"
  ? strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : strict

/// What most targets build on: text, the engine, sessions, recordings and the folders of sessions.
let upToStore: [Target.Dependency] = ["Recordings", "SessionStore", "TextFormats", "WorkoutSession", "ZoneEngine"]

/// All targets of the product but the program.
let libraries: [Target.Dependency] =
  upToStore + [
    "ActivityRecognition", "CoachService", "FleetStore", "HeartRateStrap", "LiveCoaching", "OutsidePolicies",
    "ReportPages",
    "SessionUpload", "StrategyStudy", "WorkoutExports", "WorkoutHistory",
  ]

/// Targets of development that no ordinary build sees. `Fuzzing/run`, `Benchmarks/against-peers`, `Benchmarks/sweep-speed` and
/// `Benchmarks/interval-coverage` set their variables; all have to be in this package, because what they call has `package` access.
var development: [Target] = []
if Context.environment["COACH_FUZZING"] != nil {
  development.append(
    .executableTarget(
      name: "coach-fuzz", dependencies: libraries + ["InputChecks"], path: "Fuzzing/coach-fuzz",
      // The entry point is libFuzzer's.
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

if Context.environment["COACH_BENCHMARKS"] != nil {
  development.append(
    .executableTarget(
      name: "decode-benchmark", dependencies: libraries, path: "Benchmarks/decode-benchmark",
      swiftSettings: strict))
  development.append(
    .executableTarget(
      name: "sweep-benchmark", dependencies: libraries,
      path: "Benchmarks/sweep-benchmark", swiftSettings: strict))
  development.append(
    .executableTarget(
      name: "live-benchmark", dependencies: libraries + ["CMalloc"], path: "Benchmarks/live-benchmark",
      swiftSettings: strict))
  development.append(
    .executableTarget(
      name: "interval-benchmark", dependencies: libraries, path: "Benchmarks/interval-benchmark",
      swiftSettings: strict))
}

/// The compiler dies on coroutines of these tests, optimised (Swift 6.3.1, while it splits `PersonDeletionTests.live`, with the address
/// sanitizer also `StoreCopyObstacleTests.foreign`). What they test is optimised all the same.
let dyingTests = ["FleetStoreTests"]
/// How they are built where others are optimised.
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The tests of targets that share what makes sessions and recordings.
let tests: [Target] = [
  "TextFormatsTests", "WorkoutSessionTests", "RecordingsTests", "SessionStoreTests", "WorkoutExportsTests",
  "WorkoutHistoryTests", "SessionUploadTests", "LiveCoachingTests", "CoachServiceTests",
  "FleetStoreTests",
].map { name in
  .testTarget(
    name: name, dependencies: libraries + ["CGnuTLS", "CZlib", "InputChecks", "TestSupport", "WorkoutTestSupport"],
    swiftSettings: strict + (dyingTests.contains(name) ? unoptimised : []))
}

let package = Package(
  name: "coach",
  products: [
    .executable(name: "coach", targets: ["coach"]),
    .library(name: "ZoneEngine", targets: ["ZoneEngine"]),
    .library(name: "Recordings", targets: ["Recordings"]),
  ],
  targets: [
    .target(name: "ZoneEngine", swiftSettings: computing),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CSyncFS"),
    .systemLibrary(name: "CProcessLimits"),
    .systemLibrary(name: "CWideVectors"),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CGnuTLS", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    // Each may import those above it and none below.
    .target(name: "TextFormats", dependencies: ["CProcessLimits", "CSyncFS"], swiftSettings: computing),
    .target(name: "ActivityRecognition", dependencies: ["CWideVectors", "TextFormats"], swiftSettings: computing),
    .target(
      name: "WorkoutSession", dependencies: ["ActivityRecognition", "TextFormats", "ZoneEngine"],
      swiftSettings: computing),
    .target(
      name: "Recordings",
      dependencies: [
        "ActivityRecognition", "CExpat", "CProcessLimits", "CWideVectors", "CZlib", "TextFormats", "WorkoutSession",
        "ZoneEngine",
      ],
      swiftSettings: computing),
    .target(
      name: "SessionStore", dependencies: ["CZlib", "Recordings", "TextFormats", "WorkoutSession", "ZoneEngine"],
      swiftSettings: computing),
    .target(
      name: "WorkoutExports",
      dependencies: ["CZlib", "Recordings", "SessionStore", "TextFormats", "WorkoutSession", "ZoneEngine"],
      swiftSettings: computing),
    .target(
      name: "WorkoutHistory", dependencies: ["ActivityRecognition", "CSQLite", "WorkoutExports"] + upToStore,
      swiftSettings: computing),
    .target(
      name: "SessionUpload", dependencies: ["CCurl", "WorkoutExports", "WorkoutHistory"] + upToStore,
      swiftSettings: strict),
    .target(name: "LiveCoaching", dependencies: ["WorkoutHistory"] + upToStore, swiftSettings: computing),
    .target(
      name: "FleetStore", dependencies: ["CPostgreSQL", "SessionStore", "TextFormats"], swiftSettings: strict),
    .target(
      name: "OutsidePolicies", dependencies: ["CProcessLimits", "TextFormats", "ZoneEngine"], swiftSettings: strict),
    .target(
      name: "StrategyStudy",
      dependencies: ["CGnuTLS", "CWideVectors", "OutsidePolicies", "WorkoutHistory"] + upToStore,
      swiftSettings: computing),
    .target(
      name: "ReportPages",
      dependencies: ["ActivityRecognition", "StrategyStudy", "WorkoutExports", "WorkoutHistory"] + upToStore,
      swiftSettings: computing),
    .target(
      name: "HeartRateStrap", dependencies: ["CSystemd", "TextFormats", "WorkoutSession", "ZoneEngine"],
      swiftSettings: strict),
    .target(
      name: "CoachService",
      dependencies: [
        "ActivityRecognition", "CGnuTLS", "CMicroHTTPD", "CProcessLimits", "FleetStore", "LiveCoaching", "ReportPages",
        "SessionUpload", "StrategyStudy",
        "WorkoutExports", "WorkoutHistory",
      ] + upToStore, swiftSettings: strict),
    .executableTarget(
      name: "coach",
      dependencies: [
        "ActivityRecognition", "CMalloc", "CoachService", "FleetStore", "HeartRateStrap", "LiveCoaching",
        "OutsidePolicies",
        "ReportPages", "SessionUpload", "StrategyStudy", "WorkoutExports", "WorkoutHistory",
      ] + upToStore,
      swiftSettings: strict,
      // Nobody loads the program as a library. Its 17,000 names would be looked through at each start.
      linkerSettings: [.unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(platforms: [.linux]))]),
    // An instance that a test can stop and kill.
    .executableTarget(
      name: "fleet-instance",
      dependencies: [
        "FleetStore", "LiveCoaching", "SessionStore", "TextFormats", "WorkoutSession", "WorkoutTestSupport",
      ],
      path: "Tests/FleetInstance", swiftSettings: strict),
    .target(name: "TestSupport", dependencies: ["ZoneEngine"], path: "Tests/TestSupport", swiftSettings: computing),
    .target(
      name: "InputChecks",
      dependencies: libraries + ["TestSupport"], path: "Tests/InputChecks", swiftSettings: computing),
    .testTarget(
      name: "ZoneEngineTests", dependencies: ["ZoneEngine", "TestSupport"], resources: [.copy("Fixtures")],
      swiftSettings: strict),
    .target(
      name: "WorkoutTestSupport", dependencies: libraries + ["CZlib", "TestSupport"], path: "Tests/WorkoutTestSupport",
      swiftSettings: computing),
    .testTarget(
      name: "ActivityRecognitionTests", dependencies: ["ActivityRecognition", "TestSupport", "TextFormats"],
      swiftSettings: strict),
    .testTarget(
      name: "StrategyStudyTests", dependencies: libraries + ["TestSupport", "WorkoutTestSupport"],
      exclude: ["Benchmark/cues-1.jsonl", "Benchmark/signed-version-1.jsonl", "Trial/trial-vectors.json"],
      swiftSettings: strict),
    .testTarget(
      name: "HeartRateStrapTests", dependencies: libraries + ["TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "CoachTests",
      dependencies: [
        "coach", "TestSupport", "WorkoutTestSupport", "CExpat",
      ] + libraries,
      exclude: ["LiveScreen/Pictures"],
      swiftSettings: strict),
  ] + tests + development
)
