import type { NamespaceId } from '../domain/ids.js'
import type { ServiceEvent } from '../domain/service-event.js'

/** Conditions on a list of events. */
export interface ServiceEventRequest {
  /** Unix milliseconds, from inclusive, to exclusive. */
  readonly fromMs: number
  readonly toMs: number
  readonly types?: readonly string[] | undefined
  readonly exceptTypes?: readonly string[] | undefined
  readonly service?: string | undefined
  readonly environment?: string | undefined
  /** Only events before this one in the order of the list. */
  readonly before?: Pick<ServiceEvent, 'atMs' | 'id'> | undefined
  readonly limit: number
}

/** Deployments and other events of services, and what the service itself found. They end with the namespace. */
export interface ServiceEvents {
  /** Stores the event, crash-safe; false, and nothing is changed, when the namespace has one of this id. */
  add(event: ServiceEvent): Promise<boolean>
  /** Events by time and id, newest first. */
  list(ns: NamespaceId, request: ServiceEventRequest): Promise<readonly ServiceEvent[]>
  /**
   * Deletes events before this time, and the oldest ones beyond `keep` of each namespace. Events that the service found are
   * not among the latter and do not count.
   */
  deleteOld(beforeMs: number, keep: number): Promise<void>
  /** Deletes all but the newest `keep` events of a type. */
  keepNewest(ns: NamespaceId, type: string, keep: number): Promise<void>
}
