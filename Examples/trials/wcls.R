#!/usr/bin/env Rscript
# The effect of a cue in a trial within sessions, from the table of `coach trial analyse --csv` or `coach study --points`, in R alone,
# without a package: what `coach trial analyse` prints, by the matrices as they are written in docs/evidence.md.
#
#     wcls.R TABLE.csv OUTCOME_SECONDS NUMERATOR_PROBABILITY CONTROLS MODERATORS
#
# CONTROLS and MODERATORS are names of the protocol with commas between them, or `none`. It prints a line for each coefficient: its name,
# the estimate, the standard error for few people, the one without that correction, the 95 % interval and p; then the p of all effects
# together.

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 5) stop("expected TABLE.csv OUTCOME_SECONDS NUMERATOR_PROBABILITY CONTROLS MODERATORS")
names_of <- function(text) if (text == "none") character(0) else strsplit(text, ",", fixed = TRUE)[[1]]
numerator <- as.numeric(arguments[3])
controls <- names_of(arguments[4])
moderators <- names_of(arguments[5])

rows <- read.csv(arguments[1], colClasses = c(participant = "character", session = "character"))
values <- list(
  # Before the first cue the time since the start.
  secondsSinceCue = ifelse(is.na(rows$seconds_since_cue), rows$at_s, rows$seconds_since_cue),
  secondsOffTarget = rows$seconds_off_target,
  beatsOffTarget = abs(rows$beats_off_target),
  point = rows$point
)
unknown <- setdiff(c(controls, moderators), names(values))
if (length(unknown) > 0) stop("unknown: ", paste(unknown, collapse = ", "))
outcome <- rows[[paste0("seconds_in_target_", arguments[2])]]

# What counts: points at which a cue was available, of which everything is known.
known <- rows$available == 1 & !is.na(outcome)
for (name in c(controls, moderators)) known <- known & !is.na(values[[name]])
y <- outcome[known]
action <- rows$action[known]
probability <- rows$probability[known]
person <- rows$participant[known]
weight <- ifelse(action == 1, numerator / probability, (1 - numerator) / (1 - probability))
column <- function(name) values[[name]][known]
centred <- action - numerator
x <- cbind(rep(1, length(y)), sapply(controls, column), centred, sapply(moderators, function(name) centred * column(name)))
x <- matrix(unlist(x), nrow = length(y))
terms <- c("constant", controls, "cue", if (length(moderators) > 0) paste("cue \u00d7", moderators))

people <- unique(person)
size <- ncol(x)
effects <- (length(controls) + 2):size
degrees <- length(people) - size
bread <- solve(crossprod(x, weight * x))
estimate <- as.vector(bread %*% crossprod(x, weight * y))
residual <- as.vector(y - x %*% estimate)

# The sandwich over people; with the correction for few people the residuals of each are multiplied by (I - H)^-1.
covariance <- function(is_corrected) {
  meat <- matrix(0, size, size)
  for (one in people) {
    own <- person == one
    part <- x[own, , drop = FALSE]
    errors <- residual[own]
    if (is_corrected) {
      leverage <- part %*% bread %*% t(weight[own] * part)
      errors <- solve(diag(sum(own)) - leverage, errors)
    }
    score <- crossprod(part, weight[own] * errors)
    meat <- meat + score %*% t(score)
  }
  bread %*% meat %*% bread
}
corrected <- covariance(TRUE)
error <- sqrt(diag(corrected))
plain <- sqrt(diag(covariance(FALSE)))
half <- qt(0.975, degrees) * error
p <- 2 * pt(-abs(estimate / error), degrees)
for (place in seq_len(size)) {
  cat(
    terms[place],
    sprintf("%.15g", c(estimate[place], error[place], plain[place], estimate[place] - half[place], estimate[place] + half[place], p[place])),
    sep = "\t"
  )
  cat("\n")
}
# Hotelling's, whose numerator has as many degrees of freedom as there are effects.
statistic <- sum(estimate[effects] * solve(corrected[effects, effects, drop = FALSE], estimate[effects]))
ratio <- statistic * degrees / (length(effects) * (length(people) - length(controls) - 2))
cat("joint", sprintf("%.15g", pf(ratio, length(effects), degrees, lower.tail = FALSE)), sep = "\t")
cat("\n")
