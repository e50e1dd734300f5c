/** Bounds of events of services. */
export interface ServiceEventLimits {
  /** Bytes of a body. */
  readonly bodyBytes: number
  readonly attributes: number
  /** Events of a namespace per second, and at once. */
  readonly perSecond: number
  readonly burst: number
  /** How far ahead of the service the time of an event may be. */
  readonly futureMs: number
}

/** A deployment pipeline sends a few events; the control database stores each in a transaction of its own. */
export const SERVICE_EVENT_LIMITS: ServiceEventLimits = Object.freeze({
  bodyBytes: 64 * 1024,
  attributes: 32,
  perSecond: 1,
  burst: 100,
  futureMs: 3_600_000
})
