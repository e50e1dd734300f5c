import type { NamespaceId } from '../domain/ids.js'
import type { ServiceEvent } from '../domain/service-event.js'

/** Conditions on a list of events. */
export interface ServiceEventRequest {
  /** Unix milliseconds, from inclusive, to exclusive. */
  readonly fromMs: number
  readonly toMs: number
  readonly types?: readonly string[] | undefined
  readonly service?: string | undefined
  readonly environment?: string | undefined
  /** Only events before this one in the order of the list. */
  readonly before?: Pick<ServiceEvent, 'atMs' | 'id'> | undefined
  readonly limit: number
}

/** Deployments and other events of services. They end with the namespace. */
export interface ServiceEvents {
  /** Stores the event, crash-safe; false, and nothing is changed, when the namespace has one of this id. */
  add(event: ServiceEvent): Promise<boolean>
  /** Events by time and id, newest first. */
  list(ns: NamespaceId, request: ServiceEventRequest): Promise<readonly ServiceEvent[]>
  /** Deletes events before this time, and the oldest ones beyond `keep` of each namespace. */
  deleteOld(beforeMs: number, keep: number): Promise<void>
}
