import { ALERT_SHARDS } from '../../domain/alerts/shard.js'
import type { AlertLeases, ShardLease } from '../../ports/alert-states.js'
import type { BackgroundJobs } from '../../ports/background-jobs.js'
import type { Clock } from '../../ports/clock.js'
import type { Timers } from '../../ports/timers.js'
import { type ReachFailPoint, SHARD_LOST } from '../fail-points.js'
import { LEASE_MS, RENEW_EVERY_MS } from './bounds.js'

/** Name among the background jobs. */
const JOB = 'alert_leases'
const ALL_SHARDS = [...Array(ALERT_SHARDS).keys()]

/** Dependencies of `ShardLeases`. */
export interface ShardLeasesDeps {
  readonly leases: AlertLeases
  /** Unique to this process. */
  readonly holder: string
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly timers: Timers
  readonly jobs: Pick<BackgroundJobs, 'run'>
  readonly reach: ReachFailPoint
}

/** Who follows which shards this process holds. */
export interface LeaseListener {
  /** A shard is held from now on, by this lease. Another process may have written since it was held here before. */
  taken(lease: ShardLease): void
  /** A shard is not held any more. */
  lost(shard: number): void
}

interface HeldLease {
  readonly lease: ShardLease
  /** On the monotonic clock, counted from before the renewal. */
  readonly untilMs: number
}

/**
 * The shards that this process holds: renewed every 4 s for 12 s by the clock of the database, given back at the stop. A
 * process that was paused finds its leases expired, and the store rejects their tokens once another process took them.
 */
export class ShardLeases {
  readonly #deps: ShardLeasesDeps
  readonly #held = new Map<number, HeldLease>()
  readonly #listeners: LeaseListener[] = []
  #cancel: () => void = () => undefined
  #round: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(deps: ShardLeasesDeps) {
    this.#deps = deps
  }

  /** Calls `listener` at each change from now on. */
  subscribe(listener: LeaseListener): void {
    this.#listeners.push(listener)
  }

  /** The valid lease of a shard; null when this process does not hold it. */
  of(shard: number): ShardLease | null {
    const held = this.#held.get(shard)
    return held !== undefined && held.untilMs > this.#deps.clock.monotonicMs() ? held.lease : null
  }

  /** All valid leases. */
  held(): readonly ShardLease[] {
    return [...this.#held.values()].map(({ lease }) => lease).filter(({ shard }) => this.of(shard) !== null)
  }

  /** Takes what is free, at once and every `RENEW_EVERY_MS`. Resolves after the first round, which may have failed. */
  start(): Promise<void> {
    this.#round = this.#renew()
    return this.#round
  }

  /** To be called when the store has rejected a token. */
  lose({ shard, token }: ShardLease): void {
    if (this.#held.get(shard)?.lease.token !== token) return
    this.#held.delete(shard)
    this.#deps.reach(SHARD_LOST)
    for (const listener of this.#listeners) listener.lost(shard)
  }

  /** Ends the renewal. Leases are valid until `release`. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#round
  }

  /** Gives all leases back, so that another process need not wait until they expire. */
  async release(): Promise<void> {
    const held = [...this.#held.values()]
    for (const { lease } of held) this.lose(lease)
    await this.#deps.jobs.run(JOB, async () => {
      for (const { lease } of held) await this.#deps.leases.release(lease)
    })
  }

  async #renew(): Promise<void> {
    const { leases, holder, clock, timers, jobs } = this.#deps
    const startedMs = clock.monotonicMs()
    await jobs.run(JOB, async () => this.#follow(await leases.acquire(ALL_SHARDS, holder, LEASE_MS), startedMs + LEASE_MS))
    this.#loseExpired()
    if (this.#isStopped) return
    this.#cancel = timers.after(RENEW_EVERY_MS, () => {
      this.#round = this.#renew()
    })
  }

  #follow(acquired: readonly ShardLease[], untilMs: number): void {
    const byShard = new Map(acquired.map(lease => [lease.shard, lease]))
    for (const { lease } of [...this.#held.values()]) {
      if (byShard.get(lease.shard)?.token !== lease.token) this.lose(lease)
    }
    for (const lease of acquired) {
      const isNew = !this.#held.has(lease.shard)
      this.#held.set(lease.shard, { lease, untilMs })
      if (!isNew) continue
      this.#deps.reach('shard.taken')
      for (const listener of this.#listeners) listener.taken(lease)
    }
  }

  /** What could not be renewed in time belongs to whoever takes it next. */
  #loseExpired(): void {
    for (const { lease } of [...this.#held.values()]) if (this.of(lease.shard) === null) this.lose(lease)
  }
}
