#!/usr/bin/env Rscript
# A policy for `--strategy exec:./moment.R`: the strategy `moment` of coach, once more; docs/policies.md has the protocol.
# It needs the package jsonlite. `moment.R SECONDS` asks to be asked every so many seconds, 120 without.
#
# What a policy says of a runner may depend on the hello and on the lines about that runner alone, so each has an
# environment of its own.
library(jsonlite)

arguments <- commandArgs(trailingOnly = TRUE)
every <- if (length(arguments) > 0) as.numeric(arguments[1]) else 120

send <- function(record) {
  cat(toJSON(record, auto_unbox = TRUE, digits = NA), "\n", sep = "")
  flush(stdout())
}

answer <- function(runner, question) {
  # The same as comparing heartRateBPM with targetLowerBPM and targetUpperBPM, for any quantity.
  switch(question$side, under = "speedUp", inside = "hold", over = "slowDown")
}

runners <- new.env()
input <- file("stdin", open = "r")
while (length(text <- readLines(input, n = 1)) > 0) {
  line <- fromJSON(text, simplifyVector = FALSE)
  key <- as.character(line$runner)
  if (line$type == "hello") {
    send(list(type = "ready", version = 1, everySeconds = every, name = "moment"))
  } else if (line$type == "start") {
    assign(key, new.env(), envir = runners)
    runners[[key]]$seed <- line$seed
    runners[[key]]$heartRates <- list()
  } else if (line$type == "heartRate") {
    known <- runners[[key]]$heartRates
    known[[length(known) + 1]] <- line
    runners[[key]]$heartRates <- known
  } else if (line$type == "question") {
    say <- answer(runners[[key]], line)
    send(list(type = "answer", runner = line$runner, question = line$question, say = say))
  } else if (line$type == "end") {
    rm(list = key, envir = runners)
  }
}
