import type { NamespaceId } from '../../../domain/ids.js'
import { shardOf } from '../../../domain/alerts/shard.js'
import type { ShardLease } from '../../../ports/alert-states.js'
import type { BackgroundJobs } from '../../../ports/background-jobs.js'
import type { Clock } from '../../../ports/clock.js'
import type { ControlStore } from '../../../ports/control-store.js'
import type { Timers } from '../../../ports/timers.js'
import type { ReachFailPoint } from '../../fail-points.js'
import type { LeaseHolder } from './lease-holder.js'
import { notifyNamespace } from './notify-namespace.js'
import { RoutingCache } from './routing-cache.js'
import { SilenceCache } from './silence-cache.js'

/** How often the dispatcher looks for flushes that are due, and for events that no call of `wake` reported. */
export const ROUND_EVERY_MS = 1_000
/** Steps of one namespace in a row; then the others follow. */
const STEPS_IN_A_ROW = 20
/** Name among the background jobs. */
const JOB = 'alert_notifications'

/** Dependencies of `Dispatcher`. */
export interface DispatcherDeps {
  readonly store: ControlStore
  readonly leases: LeaseHolder
  readonly clock: Pick<Clock, 'nowMs'>
  readonly timers: Timers
  readonly jobs: Pick<BackgroundJobs, 'monitor'>
  /** Public address of the service; empty when it is not configured. */
  readonly externalUrl: string
  /** Called after deliveries were stored. */
  readonly onDeliveries: () => void
  readonly reach: ReachFailPoint
}

/**
 * Makes deliveries out of events: for each namespace of the shards that are held here, once a second and when woken. Each
 * step is one transaction that checks the lease, so that a former holder writes nothing.
 */
export class Dispatcher {
  readonly #deps: DispatcherDeps
  readonly #routings = new RoutingCache()
  readonly #silences = new SilenceCache()
  #cancel: () => void = () => undefined
  #running: Promise<void> | null = null
  #isWoken = false
  #isStopped = false

  constructor(deps: DispatcherDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#schedule()
  }

  /** Events were committed: looks at once instead of at the next round. */
  wake(): void {
    if (this.#isStopped) return
    if (this.#running) this.#isWoken = true
    else void this.round()
  }

  /** Resolves when the round in progress has ended; no other begins. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#running
  }

  /** Resolves when no round is in progress. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running
  }

  /** One round over all namespaces that have work, or the one in progress. Never rejects. */
  round(): Promise<void> {
    this.#cancel()
    this.#running ??= this.#round().finally(() => {
      this.#running = null
      const isWoken = this.#isWoken
      this.#isWoken = false
      if (isWoken && !this.#isStopped) void this.round()
      else this.#schedule()
    })
    return this.#running
  }

  #schedule(): void {
    if (this.#isStopped) return
    this.#cancel = this.#deps.timers.after(ROUND_EVERY_MS, () => void this.round())
  }

  async #round(): Promise<void> {
    const { store, leases, clock, jobs } = this.#deps
    const job = jobs.monitor(JOB)
    const held = new Map(leases.held().map(lease => [lease.shard, lease]))
    if (held.size === 0) return
    try {
      let hasFailed = false
      for (const ns of await store.notificationGroups.withWork([...held.keys()], clock.nowMs())) {
        if (this.#isStopped) return
        try {
          await this.#notify(ns, held.get(shardOf(ns))!)
        } catch (error) {
          hasFailed = true
          job.failed(error, { namespace: ns })
        }
      }
      if (!hasFailed) job.succeeded()
    } catch (error) {
      job.failed(error)
    }
  }

  async #notify(ns: NamespaceId, lease: ShardLease): Promise<void> {
    const { store, clock, externalUrl, onDeliveries, reach } = this.#deps
    const parts = { routings: this.#routings, silences: this.#silences, externalUrl }
    for (let steps = 0; steps < STEPS_IN_A_ROW; steps++) {
      const outcome = await store.transaction(async ports => {
        if (!(await ports.alertLeases.lock(lease))) return null
        const namespace = await ports.namespaces.byId(ns)
        if (namespace?.state !== 'active') return null
        const done = await notifyNamespace(ports, namespace, parts, clock.nowMs())
        reach('notification.written')
        return done
      })
      if (outcome === null) return
      reach('notification.committed')
      if (outcome.deliveries > 0) onDeliveries()
      if (!outcome.hasMore) return
    }
  }
}
