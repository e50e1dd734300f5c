import type { Channel } from '../../../domain/alerts/channel.js'
import type { Delivery, ListedDelivery } from '../../../domain/alerts/delivery.js'
import { shardOf } from '../../../domain/alerts/shard.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { ShardLease } from '../../../ports/alert-states.js'
import type { BackgroundJobs } from '../../../ports/background-jobs.js'
import type { Clock } from '../../../ports/clock.js'
import type { ControlPorts, ControlStore } from '../../../ports/control-store.js'
import type { Timers } from '../../../ports/timers.js'
import type { ReachFailPoint } from '../../fail-points.js'
import type { LeaseHolder } from '../dispatch/lease-holder.js'
import type { SealedChannels } from '../sealed-channels.js'
import type { MailClient } from '../target/mail-client.js'
import type { PostResult, TargetClient } from '../target/target-client.js'
import { SendSlots } from './send-slots.js'
import { channelAfter, outcomeOf, requestOf } from './send-delivery.js'

/** How often the sender looks for deliveries that another gateway made due, by a retry or a test. */
export const LOOK_EVERY_MS = 5_000
/** A delivery whose outcome could not be stored is not sent again before. */
const UNRECORDED_DELAY_MS = 5_000
/** Name among the background jobs. */
const JOB = 'alert_deliveries'

/** Dependencies of `Sender`. */
export interface SenderDeps {
  readonly store: ControlStore
  readonly leases: LeaseHolder
  readonly sealed: SealedChannels
  readonly client: Pick<TargetClient, 'post'>
  readonly mail: Pick<MailClient, 'send'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly timers: Timers
  /** From 0 to 1. */
  readonly random: () => number
  readonly jobs: Pick<BackgroundJobs, 'monitor'>
  readonly reach: ReachFailPoint
}

/**
 * Sends deliveries of the shards that are held here, at least once: an attempt whose outcome was not stored is made again with
 * the same id and body. Messages of a group to a channel never overtake each other, and a slow channel takes up its own
 * slots alone.
 */
export class Sender {
  readonly #deps: SenderDeps
  readonly #slots = new SendSlots()
  readonly #inFlight = new Set<Promise<void>>()
  readonly #notBeforeMs = new Map<string, number>()
  readonly #stopping = new AbortController()
  #cancel: () => void = () => undefined
  #round: Promise<void> | null = null
  #isPoked = false

  constructor(deps: SenderDeps) {
    this.#deps = deps
  }

  start(): void {
    this.poke()
  }

  /** Deliveries may be due: looks at once. */
  poke(): void {
    if (this.#stopping.signal.aborted) return
    if (this.#round) this.#isPoked = true
    else void this.round()
  }

  /** Cuts attempts in flight and resolves when they have ended; they stay due. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancel()
    await this.#round
    await Promise.all(this.#inFlight)
  }

  /** Resolves when no round is in progress and no attempt is in flight. */
  async settled(): Promise<void> {
    for (;;) {
      await this.#round
      if (this.#inFlight.size === 0 && !this.#round) return
      await Promise.all(this.#inFlight)
    }
  }

  /** Begins every attempt that is due and has a slot, or waits for the round in progress. Never rejects. */
  round(): Promise<void> {
    this.#cancel()
    this.#round ??= this.#beginDue().finally(() => {
      this.#round = null
      const isPoked = this.#isPoked
      this.#isPoked = false
      if (isPoked) this.poke()
    })
    return this.#round
  }

  async #beginDue(): Promise<void> {
    const { store, leases, clock, jobs } = this.#deps
    let delayMs = LOOK_EVERY_MS
    try {
      const shards = leases.held().map(({ shard }) => shard)
      const nowMs = clock.nowMs()
      for (const delivery of await store.deliveries.due(shards, nowMs, this.#slots.limits())) this.#begin(delivery, nowMs)
      // What is due and has no slot follows when an attempt ends.
      const nextMs = await store.deliveries.nextDueMs(shards, nowMs)
      if (nextMs !== null) delayMs = Math.min(delayMs, Math.max(0, nextMs - clock.nowMs()))
    } catch (error) {
      jobs.monitor(JOB).failed(error)
    }
    if (!this.#stopping.signal.aborted) this.#cancel = this.#deps.timers.after(delayMs, () => this.poke())
  }

  #begin(delivery: ListedDelivery, nowMs: number): void {
    const key = `${delivery.namespaceId} ${delivery.id}`
    if ((this.#notBeforeMs.get(key) ?? 0) > nowMs) return
    this.#notBeforeMs.delete(key)
    const leave = this.#slots.enter(delivery)
    if (!leave) return
    const defer = (): void => void this.#notBeforeMs.set(key, this.#deps.clock.nowMs() + UNRECORDED_DELAY_MS)
    const attempt = this.#attempt(delivery)
      .then(isRecorded => (isRecorded ? this.#deps.jobs.monitor(JOB).succeeded() : defer()))
      .catch((error: unknown) => {
        defer()
        this.#deps.jobs.monitor(JOB).failed(error, { namespace: delivery.namespaceId })
      })
      .finally(() => {
        leave()
        this.#inFlight.delete(attempt)
        this.poke()
      })
    this.#inFlight.add(attempt)
  }

  /** False when the outcome was not stored: the delivery stays due. */
  async #attempt({ namespaceId, channelId, id }: ListedDelivery): Promise<boolean> {
    const { store, clock, reach } = this.#deps
    // Before the delivery is read: what another holder sends meanwhile is then not waiting any more.
    if (!(await this.#isHolder(namespaceId))) return false
    const delivery = await store.deliveries.byId(namespaceId, id)
    // A newer message of its group took its place.
    if (delivery?.state !== 'waiting') return true
    const channel = await store.notificationChannels.byId(namespaceId, channelId)
    const isOff =
      channel === null || ((!channel.isEnabled || channel.disabledReason !== null) && delivery.type !== 'webhook.test')
    if (isOff) {
      await store.deliveries.giveUp(namespaceId, channelId)
      return true
    }
    const atMs = clock.nowMs()
    reach('attempt.begun')
    const result = await this.#send(channel, delivery, atMs)
    reach('attempt.ended')
    // A stop cut it: it was not refused, and stays due.
    if (this.#stopping.signal.aborted && result.status === null) return false
    return this.#record(delivery, channel, { atMs, result })
  }

  /**
   * False when another gateway holds the shard: it sends what was found due here. A gateway that was suspended with its clock
   * learns that from the store alone.
   */
  async #isHolder(ns: NamespaceId): Promise<boolean> {
    const lease = this.#leaseOf(ns)
    return lease !== undefined && this.#deps.store.alertLeases.isPresent(lease)
  }

  #leaseOf(ns: NamespaceId): ShardLease | undefined {
    return this.#deps.leases.held().find(({ shard }) => shard === shardOf(ns))
  }

  #send(channel: Channel, delivery: Delivery, atMs: number): Promise<PostResult> {
    const { sealed, client, mail } = this.#deps
    const { signal } = this.#stopping
    const opened = sealed.open(channel)
    if (channel.kind === 'email') return mail.send({ to: opened.url, delivery, signal })
    return client.post({ ...requestOf(channel, opened, delivery, atMs), signal })
  }

  async #record(
    delivery: Delivery,
    sentTo: Channel,
    attempt: { readonly atMs: number; readonly result: PostResult }
  ): Promise<boolean> {
    const { store, random, reach } = this.#deps
    const lease = this.#leaseOf(delivery.namespaceId)
    // Another gateway sends now, and keeps its own record.
    if (!lease) return false
    const isRecorded = await store.transaction(async ports => {
      if (!(await ports.alertLeases.lock(lease))) return false
      const { namespaceId, id } = delivery
      await ports.deliveries.record(namespaceId, id, outcomeOf(delivery, { ...attempt, random: random() }))
      await recordForChannel(ports, sentTo, attempt)
      reach('attempt.written')
      return true
    })
    if (isRecorded) reach('attempt.committed')
    return isRecorded
  }
}

async function recordForChannel(
  { notificationChannels, deliveries }: ControlPorts,
  sentTo: Channel,
  attempt: { readonly atMs: number; readonly result: PostResult }
): Promise<void> {
  const channel = await notificationChannels.byId(sentTo.namespaceId, sentTo.id)
  // Changed meanwhile: the attempt states nothing about the channel as it is now.
  if (!channel || channel.updatedAtMs !== sentTo.updatedAtMs) return
  const after = channelAfter(channel, attempt)
  await notificationChannels.put(after)
  if (after.disabledReason !== null && channel.disabledReason === null) {
    await deliveries.giveUp(channel.namespaceId, channel.id)
  }
}
