import type { NamespaceId } from './ids.js'
import type { Label } from './metric-point.js'

/**
 * Something that was done to a service, such as a deployment, which senders report, or something that the service itself
 * found. Rules and charts refer to it.
 */
export interface ServiceEvent {
  readonly namespaceId: NamespaceId
  /** Of the sender, or made here; unique in the namespace. */
  readonly id: string
  /** `deploy`, or any other lower-case word; one of `FOUND_EVENT_TYPES` for an event that the service found. */
  readonly type: string
  /** When it happened, Unix milliseconds. */
  readonly atMs: number
  readonly service: string | null
  /** Release that the service has from then on. */
  readonly version: string | null
  /** Deployment environment, such as `production`. */
  readonly environment: string | null
  /** What people read; one line. */
  readonly title: string | null
  /** An http or https URL of details. */
  readonly url: string | null
  /** Sorted by name. */
  readonly attributes: readonly Label[]
}

/** How long events are kept. */
export const SERVICE_EVENTS_KEPT_MS = 90 * 86_400_000
/** Reported events that a namespace keeps; older ones are deleted. */
export const SERVICE_EVENTS_KEPT = 10_000
/** Events that a namespace keeps of each type that the service finds; an alert rule has at most as many alerts. */
export const FOUND_EVENTS_KEPT = 1_000

/** Type of events about lines that are missing from a log stream. */
export const LOG_GAP = 'log.gap'
/** Types of events that the service itself finds. */
export const FOUND_EVENT_TYPES: readonly string[] = [LOG_GAP]
/** How ids of events that the service finds begin; senders cannot take such an id before the service does. */
export const FOUND_EVENT_ID = `${LOG_GAP}:`

// Names with dots are those of events that the service itself finds.
const TYPE = /^[a-z][a-z0-9_-]{0,63}$/
/** The rule of `isEventType`, for errors. */
export const EVENT_TYPE_RULE = 'must be at most 64 lower-case letters, digits, _ and -, and begin with a letter'

/** Whether senders may report events of this type. */
export function isEventType(text: string): boolean {
  return TYPE.test(text)
}
