/** Kinds of secrets and personal data that are found by their form. */
export const DETECTORS = ['card', 'email', 'token', 'private_key', 'url_password'] as const
/** One of `DETECTORS`. */
export type DetectorName = (typeof DETECTORS)[number]

/** What is replaced in records before they are stored. */
export interface RedactionRules {
  readonly detectors: readonly DetectorName[]
  /** Names of members whose values are replaced: whole dotted paths or their ends, case-insensitive. */
  readonly keys: readonly string[]
  /** Strings that are replaced wherever they occur, case-sensitive. */
  readonly literals: readonly string[]
}

/** Logs that are not stored, or only in part. */
export interface DropRule {
  /** Names the rule in counters and responses; unique in its namespace. */
  readonly name: string
  /** Search language, without regular expressions. */
  readonly query: string
  /** Share of the matching logs that is stored, from 0 (none) to less than 1. */
  readonly keep: number
}

/** Which members of the logs of a sender are their message, time, level and so on. */
export interface FieldRule {
  /** Members and their values by which the logs of the sender are recognized; all must be equal. */
  readonly when: Readonly<Record<string, string>>
  /** Overrides of `POST /api/v1/logs`, by name: `message_field` and its paths. */
  readonly overrides: Readonly<Record<string, string>>
}

/** What happens to the records of a namespace before they are stored. */
export interface LogRules {
  readonly redact: RedactionRules
  /** The first rule that matches a log decides. */
  readonly drop: readonly DropRule[]
  /** The first rule that matches a log decides. */
  readonly fields: readonly FieldRule[]
}

/** Of a namespace that has chosen nothing. */
export const NO_LOG_RULES: LogRules = Object.freeze({
  redact: { detectors: [], keys: [], literals: [] },
  drop: [],
  fields: []
})

/** Whether the rules change nothing. */
export function isEmpty({ redact, drop, fields }: LogRules): boolean {
  const { detectors, keys, literals } = redact
  return detectors.length + keys.length + literals.length + drop.length + fields.length === 0
}
