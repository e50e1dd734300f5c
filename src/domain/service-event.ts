import type { NamespaceId } from './ids.js'
import type { Label } from './metric-point.js'

/** Something that was done to a service, such as a deployment: senders report it, rules and charts refer to it. */
export interface ServiceEvent {
  readonly namespaceId: NamespaceId
  /** Of the sender, or made here; unique in the namespace. */
  readonly id: string
  /** `deploy`, or any other lower-case word. */
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
/** Events that a namespace keeps; older ones are deleted. */
export const SERVICE_EVENTS_KEPT = 10_000

// Names with dots are those of events that the service itself finds.
const TYPE = /^[a-z][a-z0-9_-]{0,63}$/
/** The rule of `isEventType`, for errors. */
export const EVENT_TYPE_RULE = 'must be at most 64 lower-case letters, digits, _ and -, and begin with a letter'

/** Whether senders may report events of this type. */
export function isEventType(text: string): boolean {
  return TYPE.test(text)
}
