/** How long an instance stays after it was resolved. Source: Prometheus, `resolvedRetention` in rules/alerting.go. */
export const RESOLVED_RETENTION_MS = 15 * 60_000
/** Instances of a rule whose group sets no limit. */
export const MAX_INSTANCES = 1_000
/** Evaluations in a row that fail before the rule has an instance in the state `error`. */
export const ERRORS_BEFORE_ALERT = 3
/** How long the alert of a source lasts that is silent and not known any more. */
export const MAX_ABSENCE_MS = 24 * 3_600_000
/** Evaluations that `for_n_of_m` looks back at: the bits of `AlertInstance.seen`. */
export const MAX_LOOK_BACK = 30
/** Labels of a rule; annotations have the same limit. */
export const MAX_RULE_LABELS = 64
/** Characters of a name of a rule, a label or an annotation. */
export const MAX_NAME_CHARS = 256
/** Characters of all templates of a rule together. */
export const MAX_TEMPLATE_CHARS = 64 * 1024
/** Fields that a condition on records groups by. */
export const MAX_GROUP_BY = 3
/** Length of the window of a condition on logs or spans. */
export const MIN_WINDOW_MS = 1_000
/** Longer windows would read more than a day at each evaluation. */
export const MAX_WINDOW_MS = 24 * 3_600_000
/** The longest `for`, `keep_firing_for` and absence. */
export const MAX_FOR_MS = 31 * 24 * 3_600_000
