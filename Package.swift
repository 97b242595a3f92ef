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

/// Targets of development that no ordinary build sees. `Fuzzing/run`, `Benchmarks/against-peers`, `Benchmarks/sweep-speed` and
/// `Benchmarks/interval-coverage` set their variables; all have to be in this package, because what they call has `package` access.
var development: [Target] = []
if Context.environment["COACH_FUZZING"] != nil {
  development.append(
    .executableTarget(
      name: "coach-fuzz", dependencies: ["InputChecks", "WorkoutSession"], path: "Fuzzing/coach-fuzz",
      // The entry point is libFuzzer's.
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

if Context.environment["COACH_BENCHMARKS"] != nil {
  development.append(
    .executableTarget(
      name: "decode-benchmark", dependencies: ["WorkoutSession", "ZoneEngine"], path: "Benchmarks/decode-benchmark",
      swiftSettings: strict))
  development.append(
    .executableTarget(
      name: "sweep-benchmark", dependencies: ["StrategyStudy", "WorkoutSession", "ZoneEngine"],
      path: "Benchmarks/sweep-benchmark", swiftSettings: strict))
  development.append(
    .executableTarget(
      name: "interval-benchmark", dependencies: ["StrategyStudy", "ZoneEngine"], path: "Benchmarks/interval-benchmark",
      swiftSettings: strict))
}

let package = Package(
  name: "coach",
  products: [
    .executable(name: "coach", targets: ["coach"]),
    .library(name: "ZoneEngine", targets: ["ZoneEngine"]),
    .library(name: "WorkoutSession", targets: ["WorkoutSession"]),
    .library(name: "StrategyStudy", targets: ["StrategyStudy"]),
    .library(name: "HeartRateStrap", targets: ["HeartRateStrap"]),
    .library(name: "FaultInjection", type: .dynamic, targets: ["FaultInjection"]),
  ],
  targets: [
    .target(name: "ZoneEngine", swiftSettings: strict),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "WorkoutSession", dependencies: ["ZoneEngine", "CCurl", "CExpat", "CZlib", "CSQLite"], swiftSettings: strict
    ),
    .target(name: "StrategyStudy", dependencies: ["WorkoutSession", "ZoneEngine"], swiftSettings: strict),
    .target(
      name: "ReportPages", dependencies: ["StrategyStudy", "WorkoutSession", "ZoneEngine"], swiftSettings: strict),
    .target(
      name: "HeartRateStrap", dependencies: ["CSystemd", "WorkoutSession", "ZoneEngine"], swiftSettings: strict),
    .executableTarget(
      name: "coach",
      dependencies: ["CMalloc", "HeartRateStrap", "ReportPages", "StrategyStudy", "WorkoutSession", "ZoneEngine"],
      swiftSettings: strict),
    // Loaded into the program by its tests, so that a disk fails where they say.
    .target(name: "FaultInjection", path: "Tests/FaultInjection"),
    .target(name: "TestSupport", dependencies: ["ZoneEngine"], path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "InputChecks",
      dependencies: ["HeartRateStrap", "StrategyStudy", "WorkoutSession", "ZoneEngine", "TestSupport"],
      path: "Tests/InputChecks", swiftSettings: strict),
    .testTarget(
      name: "ZoneEngineTests", dependencies: ["ZoneEngine", "TestSupport"], resources: [.copy("Fixtures")],
      swiftSettings: strict),
    .testTarget(
      name: "WorkoutSessionTests",
      dependencies: ["WorkoutSession", "ZoneEngine", "TestSupport", "InputChecks", "CZlib"],
      swiftSettings: strict),
    .testTarget(
      name: "StrategyStudyTests", dependencies: ["StrategyStudy", "WorkoutSession", "ZoneEngine", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "HeartRateStrapTests", dependencies: ["HeartRateStrap", "WorkoutSession", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "CoachTests",
      dependencies: [
        "coach", "HeartRateStrap", "ReportPages", "StrategyStudy", "WorkoutSession", "ZoneEngine", "TestSupport",
        "CExpat",
      ],
      swiftSettings: strict),
  ] + development
)
