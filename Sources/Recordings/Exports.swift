// What a recording consists of is defined below this module. Who imports `Recordings` gets it without a further import.
@_exported public import TextFormats
@_exported public import WorkoutSession
