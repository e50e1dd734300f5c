/** SLOs of one namespace. Each has up to five rules of the `MAX_RULES` of the namespace. */
export const MAX_SLOS = 50
/** Percent. At 90 % a complete outage has a burn rate of 10. */
export const MIN_OBJECTIVE = 90
export const MAX_OBJECTIVE = 99.999
/** Characters of the name of an SLO: names of its rules and its group are longer. */
export const MAX_SLO_NAME_CHARS = 120
export const MAX_DESCRIPTION_CHARS = 2_000
/** Characters of one expression of an indicator. */
export const MAX_INDICATOR_CHARS = 5_000
export const DEFAULT_MIN_EVENTS = 10
export const MAX_MIN_EVENTS = 1_000_000_000
/** Time between two recordings of an SLO, and between two evaluations of its alerts. */
export const SLO_INTERVAL_MS = 60_000
/** Each recording counts the events of so much time: longer than most intervals at which counters are scraped. */
export const RECORDED_MS = 300_000
/** Recordings that count one event. */
export const RECORDED_TIMES = RECORDED_MS / SLO_INTERVAL_MS
/** Spans arrive late. */
export const SPAN_OFFSET_MS = 15_000
