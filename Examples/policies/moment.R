#!/usr/bin/env Rscript
# A policy for `--strategy exec:./moment.R` and `--arm exec:./moment.R`: the strategy `moment` of coach, once more.
#
#     coach study --age 23 --arm moment:every=120 --arm "exec:./moment.R"
#
# `moment.R SECONDS` asks to be asked every so many seconds, 120 without. The protocol is described in docs/policies.md. R alone is
# needed, no package: `read_json` below reads a line. What a policy says of a runner may depend on the hello and on the lines about
# that runner alone, so each has an environment of its own.

# What is known of one runner. A policy of your own remembers here what it needs; its random numbers follow from the seed alone, such
# as by set.seed(runner$seed %% 2147483647) and a state (.Random.seed) that is kept in the runner.
new_runner <- function(start) {
  runner <- new.env()
  runner$seed <- start[["seed"]]
  runner$seconds <- numeric(0) # when a heart rate came, and what it was; NA when there is none any more
  runner$heart_rates <- numeric(0)
  runner
}

hear <- function(runner, line) {
  bpm <- line[["beatsPerMinute"]]
  at <- length(runner$seconds) + 1
  runner$seconds[at] <- line[["atSeconds"]]
  runner$heart_rates[at] <- if (is.null(bpm)) NA else bpm
}

# One of speedUp, hold, slowDown and silence.
answer <- function(runner, question) {
  # The same as comparing heartRateBPM with targetLowerBPM and targetUpperBPM, for any quantity.
  switch(question[["side"]], under = "speedUp", inside = "hold", over = "slowDown")
}

# A line of JSON as lists, texts, numbers and truth values; null is NULL, and so is a member that is missing.
read_json <- function(text) {
  pattern <- "\"(?:[^\"\\\\]|\\\\.)*\"|-?[0-9][0-9.eE+-]*|true|false|null|[][{}:,]"
  tokens <- regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1]]
  at <- 0
  take <- function() {
    at <<- at + 1
    tokens[at]
  }
  text_of <- function(token) {
    inner <- substr(token, 2, nchar(token) - 1)
    if (!grepl("\\", inner, fixed = TRUE)) return(inner)
    parts <- regmatches(inner, gregexpr("\\\\u[0-9a-fA-F]{4}|\\\\.|[^\\\\]+", inner, perl = TRUE))[[1]]
    short <- c(b = "\b", f = "\f", n = "\n", r = "\r", t = "\t")
    paste(vapply(parts, function(part) {
      if (!startsWith(part, "\\")) return(part)
      if (nchar(part) == 6) return(intToUtf8(strtoi(substr(part, 3, 6), 16)))
      mark <- substr(part, 2, 2)
      if (mark %in% names(short)) short[[mark]] else mark
    }, ""), collapse = "")
  }
  value <- function() {
    token <- take()
    if (token == "{") {
      members <- list()
      while (tokens[at + 1] != "}") {
        if (tokens[at + 1] == ",") take()
        name <- text_of(take())
        take()
        members[[name]] <- value()
      }
      take()
      members
    } else if (token == "[") {
      items <- list()
      while (tokens[at + 1] != "]") {
        if (tokens[at + 1] == ",") take()
        items <- c(items, list(value()))
      }
      take()
      items
    } else if (startsWith(token, "\"")) {
      text_of(token)
    } else {
      switch(token, true = TRUE, false = FALSE, null = NULL, as.numeric(token))
    }
  }
  value()
}

send <- function(...) {
  cat(sprintf(...), "\n", sep = "")
  flush(stdout())
}

arguments <- commandArgs(trailingOnly = TRUE)
every <- if (length(arguments) > 0) as.numeric(arguments[1]) else 120
runners <- new.env()
input <- file("stdin", open = "r")
while (length(text <- readLines(input, n = 1)) > 0) {
  line <- read_json(text)
  kind <- line[["type"]]
  # A number, written out: as.character would make 1e+05 of 100000.
  key <- if (is.null(line[["runner"]])) "" else sprintf("%.0f", line[["runner"]])
  if (kind == "hello") {
    send('{"type":"ready","version":1,"everySeconds":%.15g,"name":"moment"}', every)
  } else if (kind == "start") {
    assign(key, new_runner(line), envir = runners)
  } else if (kind == "heartRate") {
    hear(runners[[key]], line)
  } else if (kind == "question") {
    say <- answer(runners[[key]], line)
    send('{"type":"answer","runner":%s,"question":%.0f,"say":"%s"}', key, line[["question"]], say)
  } else if (kind == "end") {
    rm(list = key, envir = runners)
  }
  # Lines of other types may come with a later minor change, and are left out.
}
