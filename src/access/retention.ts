import type { NamespaceId } from '../domain/ids.js'
import type { Namespace } from '../domain/namespace.js'
import { retentionStartNs } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { EventStore } from '../ports/event-store.js'
import type { LogStore } from '../ports/log-store.js'
import type { ExemplarStore } from '../ports/metric-notes.js'
import type { MetricStore } from '../ports/metric-store.js'
import type { ReportedHosts } from '../ports/reported-hosts.js'
import type { StreamLedger } from '../ports/stream-ledger.js'
import type { TraceStore } from '../ports/trace-store.js'

const NS_PER_MS = 1_000_000n
const DAY_MS = 86_400_000
/** Hosts whose agents reported nothing for so long are forgotten, and listeners that closed so long ago. */
const HOSTS_KEPT_MS = 30 * DAY_MS
const CLOSED_LISTENERS_KEPT_MS = 7 * DAY_MS

/** Dependencies of `RetentionJob`. */
export interface RetentionDeps {
  readonly logs: Pick<LogStore, 'deleteBefore'>
  readonly metrics: Pick<MetricStore, 'deleteBefore'>
  readonly events: Pick<EventStore, 'deleteBefore'>
  readonly traces: Pick<TraceStore, 'deleteBefore'>
  readonly exemplars: Pick<ExemplarStore, 'deleteBefore'>
  readonly streams: Pick<StreamLedger, 'deleteBefore'>
  readonly hosts: Pick<ReportedHosts, 'deleteBefore'>
  readonly namespaces: () => readonly Namespace[]
  readonly clock: Clock
  readonly onError: (error: unknown, namespace: NamespaceId) => void
}

/** Removes what is older than each namespace's retention. */
export class RetentionJob {
  readonly #deps: RetentionDeps
  #running: Promise<void> | null = null

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  /** One pass over all active namespaces; a namespace that fails is reported and does not stop the others. A call during a pass joins it. */
  runOnce(): Promise<void> {
    this.#running ??= this.#pass().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #pass(): Promise<void> {
    for (const namespace of this.#deps.namespaces()) {
      if (namespace.state === 'deleting' || namespace.state === 'deleted') continue
      try {
        await this.#trim(namespace)
      } catch (error) {
        this.#deps.onError(error, namespace.id)
      }
    }
  }

  async #trim({ id, retention }: Namespace): Promise<void> {
    const { logs, metrics, events, traces, exemplars, streams, hosts, clock } = this.#deps
    const now = clock.nowNs()
    const startOf = (signal: 'logs' | 'metrics' | 'rum' | 'errors' | 'traces'): bigint => retentionStartNs(retention, signal, now)
    if (startOf('logs') > 0n) {
      await logs.deleteBefore(id, startOf('logs'))
      await streams.deleteBefore(id, Number(startOf('logs') / NS_PER_MS))
    }
    if (startOf('metrics') > 0n) {
      await metrics.deleteBefore(id, startOf('metrics'))
      await exemplars.deleteBefore(id, startOf('metrics'))
    }
    const nowMs = clock.nowMs()
    await hosts.deleteBefore(id, { hostsMs: nowMs - HOSTS_KEPT_MS, closedMs: nowMs - CLOSED_LISTENERS_KEPT_MS })
    if (startOf('rum') > 0n) await events.deleteBefore(id, 'rum', startOf('rum'))
    if (startOf('errors') > 0n) await events.deleteBefore(id, 'errors', startOf('errors'))
    if (startOf('traces') > 0n) await traces.deleteBefore(id, startOf('traces'))
  }
}
