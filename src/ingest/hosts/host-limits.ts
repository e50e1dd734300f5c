/** Bounds of what agents report of their hosts. */
export interface HostLimits {
  /** Bytes of a report. */
  readonly bodyBytes: number
  /** Hosts of a namespace; a new one takes the place of one that is gone. */
  readonly hosts: number
  /** Listening sockets in a report. */
  readonly listeners: number
  /** Listeners of a namespace, open and closed. */
  readonly listenersOfNamespace: number
  /** Closed listeners of a host; the earliest closed ones are forgotten. */
  readonly closedListeners: number
  /** Containers in a report, and their bytes as JSON, which are stored. */
  readonly containers: number
  readonly containerBytes: number
  /** Sources of an agent in a report. */
  readonly sources: number
  /** A host that reported nothing for so long may be forgotten in favor of a new one. */
  readonly goneMs: number
  /** Listeners of a namespace that reports add, change or close, per second, and at once. */
  readonly changesPerSecond: number
  readonly changesAtOnce: number
}

export const HOST_LIMITS: HostLimits = Object.freeze({
  bodyBytes: 1024 * 1024,
  hosts: 5_000,
  listeners: 1_000,
  listenersOfNamespace: 100_000,
  closedListeners: 1_000,
  containers: 500,
  containerBytes: 256 * 1024,
  sources: 100,
  goneMs: 86_400_000,
  changesPerSecond: 200,
  changesAtOnce: 20_000
})
