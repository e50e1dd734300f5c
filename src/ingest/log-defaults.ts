import { bareObject } from '../domain/bare-object.js'
import type { JsonObject, JsonValue } from '../domain/json.js'
import type { Severity } from '../domain/severity.js'
import { isRawObject, type RawObject } from './raw-object.js'

/** What records of a batch get where they have no value of their own. All values are checked. */
export interface LogDefaults {
  readonly service: string | null
  readonly host: string | null
  readonly environment: string | null
  readonly source: string | null
  /** The level as sent; null if absent. */
  readonly level: string | null
  readonly severity: Severity
  /** Null if absent. */
  readonly fields: JsonObject | null
  readonly tags: JsonObject | null
}

/** Severity of a record without a level. */
export const NO_LEVEL: Severity = { level: null, severityNumber: 0 }

/** Of requests without `defaults`. */
export const NO_DEFAULTS: LogDefaults = Object.freeze({
  service: null,
  host: null,
  environment: null,
  source: null,
  level: null,
  severity: NO_LEVEL,
  fields: null,
  tags: null
})

/** The defaults with one more tag. */
export function withTag(defaults: LogDefaults, name: string, value: string): LogDefaults {
  return { ...defaults, tags: Object.assign(bareObject<JsonValue>(), defaults.tags, { [name]: value }) }
}

/**
 * The free fields that a record sent, over the defaults; `extra` has members that will be added to them. What is neither
 * absent nor an object is returned as it is, to be refused.
 */
export function overDefaults(sent: unknown, defaults: JsonObject | null, extra: RawObject | null): unknown {
  if (defaults === null) return sent
  const isAbsent = sent === undefined || sent === null
  if (isAbsent && extra === null) return defaults
  if (!isAbsent && !isRawObject(sent)) return sent
  const merged = bareObject<unknown>()
  for (const name in defaults) if (extra === null || !(name in extra)) merged[name] = defaults[name]
  if (!isAbsent) for (const name in sent) merged[name] = sent[name]
  return merged
}
