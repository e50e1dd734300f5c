import type { ErrorCode, ErrorItem } from '../domain/errors.js'
import { formatNs, parseEpochNs, parseRfc3339Ns } from '../domain/timestamp.js'
import type { NamespaceId } from '../domain/ids.js'
import type { SharedByPoints } from './ingest-request.js'
import type { IngestLimits } from './limits.js'
import type { LogDefaults } from './log-defaults.js'
import { MetricNotes } from './metric-notes.js'
import type { LogOptions } from './recognize-log/log-options.js'
import { LogReadings } from './recognize-log/log-readings.js'
import { readTimeText } from './recognize-log/read-time-text.js'
import type { RawObject } from './raw-object.js'
import type { FieldRules } from './rules/field-rules.js'
import { truncateString, isLonger } from './string-size.js'

/** What the checks of one request's items need to know. */
export interface ItemContext {
  readonly limits: IngestLimits
  /** Arrival, Unix nanoseconds: the time of records that were sent without one. */
  readonly nowNs: bigint
  /** Event times before this one are beyond the retention. */
  readonly oldestNs: bigint
  /** Event times after this one are in the future. */
  readonly newestNs: bigint
  /** The namespace that the request was resolved to. */
  readonly namespaceId: NamespaceId
  /** Its name. */
  readonly namespace: string
  /** Country of the sender, for events that name none. */
  readonly country: string | null
  /** What all points of the request have in common. */
  readonly shared: SharedByPoints
  /** How the logs of the request are recognized. */
  readonly logs: LogOptions
  /** Values of logs that have none of their own. */
  readonly defaults: LogDefaults
  /** The records are shown and not stored. */
  readonly isDryRun: boolean
  /** Rules of the namespace about members of senders; null without any. */
  readonly fields: FieldRules | null
  /** Replaces secrets of a string; null without rules that do. */
  readonly redact: ((text: string) => string) | null
}

/** A refused item; its `code` distinguishes it from every record. */
export interface RefusedItem extends ErrorItem {
  readonly index: number
}

// Names that a caller sent are echoed, but not at any length.
const MAX_FIELD_BYTES = 256

/** Whether a parsed item was refused. */
export function isRefused(item: object): item is RefusedItem {
  return 'code' in item
}

/**
 * Collects the first error of the item that is being checked. The checks below return a value in any case and go on, so that the
 * path of a good item has no branch for errors; `fault` is read once at its end.
 */
export class ItemCheck {
  readonly context: ItemContext
  readonly limits: IngestLimits
  /** Metadata and exemplars of metrics in the request. */
  readonly notes = new MetricNotes()
  /** What logs were recognized by. */
  readonly logs: LogReadings
  index = 0
  fault: RefusedItem | null = null
  /** Whether `time` found no time and took the one of arrival. */
  isServerTime = false
  /** How the log is recognized that is being checked. */
  logOptions: LogOptions

  constructor(context: ItemContext) {
    this.context = context
    this.limits = context.limits
    this.logs = new LogReadings(context.redact)
    this.logOptions = context.logs
  }

  /** Finds out how a log is recognized: by a rule of the namespace, else as the request states. */
  recognize(raw: RawObject): LogOptions {
    const { fields, logs, defaults } = this.context
    if (fields !== null) this.logOptions = fields.optionsOf(raw, logs, defaults)
    return this.logOptions
  }

  /** The string before it is cut at the limit: a part of a secret would not be recognized. */
  beforeCut(text: string, limitBytes: number): string {
    const { redact } = this.context
    return redact !== null && isLonger(text, limitBytes) ? redact(text) : text
  }

  /** Begins the item at `index`. */
  begin(index: number): void {
    this.index = index
    this.fault = null
  }

  /** Notes a fault; only the first of an item counts. */
  refuse(code: ErrorCode, field: string, detail: string): null {
    this.fault ??= {
      index: this.index,
      code,
      field: truncateString(this.beforeCut(field, MAX_FIELD_BYTES), MAX_FIELD_BYTES),
      detail
    }
    return null
  }

  /** The refusal of an item that is not an object. */
  notAnObject(): RefusedItem {
    return { index: this.index, code: 'invalid_field', detail: 'a record must be a JSON object' }
  }

  /** A string that must be there and not be empty. */
  requiredText(value: unknown, field: string): string {
    const isMissing = value === undefined || value === null || value === ''
    if (isMissing) this.refuse('missing_field', field, `${field} is required`)
    else if (typeof value !== 'string') this.refuse('invalid_field', field, `${field} must be a string`)
    else return value
    return ''
  }

  /** A string or null: null and the empty string mean that it was not sent. */
  text(value: unknown, field: string): string | null {
    if (value === undefined || value === null || value === '') return null
    if (typeof value !== 'string') return this.refuse('invalid_field', field, `${field} must be a string`)
    return this.bounded(value, field)
  }

  /** The text, noted as a fault when it is longer than a value may be. */
  bounded(value: string, field: string): string {
    const limit = this.limits.fieldValueBytes
    if (isLonger(value, limit)) this.refuse('record_too_large', field, `${field} is longer than ${limit} bytes`)
    return value
  }

  /** A trace or span id: kept as sent, hex in lower case. */
  id(value: unknown, field: string): string | null {
    const text = this.text(value, field)
    if (text === null) return null
    return UPPER.test(text) && HEX.test(text) ? text.toLowerCase() : text
  }

  /** The item's own namespace may only repeat the request's, by its name or its id. */
  ownNamespace(value: unknown): void {
    const { namespace, namespaceId } = this.context
    if (value === undefined || value === null || value === '' || value === namespace || value === namespaceId) return
    this.refuse('invalid_field', 'namespace', 'a record must not name a different namespace than its batch')
  }

  /** Event time: RFC 3339, or an epoch number whose unit follows from its magnitude; arrival when absent. */
  time(value: unknown, field: string): bigint {
    this.isServerTime = value === undefined || value === null || value === ''
    if (this.isServerTime) return this.context.nowNs
    return this.#known(toNs(value), field)
  }

  /** As `time`, also in the other forms that loggers write. */
  logTime(value: unknown, field: string): bigint {
    this.isServerTime = value === undefined || value === null || value === ''
    if (this.isServerTime) return this.context.nowNs
    return this.#known(toNs(value) ?? this.#otherForm(value), field)
  }

  #otherForm(value: unknown): bigint | null {
    const read = typeof value === 'string' ? readTimeText(value, this.logOptions.time) : null
    if (read?.isAssumedUtc) this.logs.addAssumedUtc()
    return read?.ns ?? null
  }

  #known(ns: bigint | null, field: string): bigint {
    if (ns === null) {
      this.refuse('invalid_field', field, `${field} must be RFC 3339 or an epoch number in s, ms, us or ns`)
      return this.context.nowNs
    }
    return this.inWindow(ns, field)
  }

  /** Event time in whole nanoseconds, a number or a string of digits: never through a double. */
  timeNs(value: unknown, field: string): bigint {
    this.isServerTime = false
    const isInt64 = Number.isSafeInteger(value) || (typeof value === 'string' && INT64.test(value))
    if (isInt64) return this.inWindow(BigInt(value as number | string), field)
    this.refuse('invalid_field', field, `${field} must be integer nanoseconds, as a number or a string of digits`)
    return this.context.nowNs
  }

  /** The time, noted as a fault when it is beyond the retention or too far ahead. */
  inWindow(ns: bigint, field: string): bigint {
    const { oldestNs, newestNs } = this.context
    if (ns < oldestNs) this.refuse('timestamp_too_old', field, tooOld(field, ns, oldestNs))
    else if (ns > newestNs) this.refuse('timestamp_in_future', field, `${field} is after ${formatNs(newestNs)}`)
    return ns
  }
}

const INT64 = /^-?\d{1,19}$/
const HEX = /^[0-9a-fA-F]+$/
const UPPER = /[A-F]/

// Nanoseconds since 1970 are less until March 1973; a time in another unit is, too.
const FIRST_PLAUSIBLE_NS = 100_000_000_000_000_000n

function tooOld(field: string, ns: bigint, oldestNs: bigint): string {
  const detail = `${field} is before ${formatNs(oldestNs)}, where the retention begins`
  const isOtherUnit = ns > 0n && ns < FIRST_PLAUSIBLE_NS
  return isOtherUnit ? `${detail}; it was parsed as ${formatNs(ns)}; check its unit` : detail
}

function toNs(value: unknown): bigint | null {
  if (typeof value === 'string') return parseRfc3339Ns(value) ?? parseEpochNs(value)?.ns ?? null
  if (typeof value !== 'number') return null
  // A whole number beyond 2^53 that is still a double was written with an exponent: its digits are lost.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return null
  return parseEpochNs(String(value))?.ns ?? null
}
