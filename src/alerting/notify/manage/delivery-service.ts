import { createUlidSource } from '../../../domain/ulid.js'
import type { Delivery, ListedDelivery } from '../../../domain/alerts/delivery.js'
import { GatewayError } from '../../../domain/errors.js'
import type { Namespace } from '../../../domain/namespace.js'
import type { UserPrincipal } from '../../../domain/principal.js'
import type { ControlPorts } from '../../../ports/control-store.js'
import { encodeTest } from '../message/encode-message.js'
import { storedChannel } from './channel-service.js'
import { MAX_PAGE_DELIVERIES, MAX_TESTS_A_MINUTE } from './notify-limits.js'
import { auditedWrite } from '../../../access/audited-write.js'
import type { NotifyServiceDeps } from './notify-service-deps.js'

const MINUTE_MS = 60_000

/** Dependencies of `DeliveryService`. */
export interface DeliveryServiceDeps extends NotifyServiceDeps {
  /** Public address of the service; empty when it is not configured. */
  readonly externalUrl: string
  /** Called after a delivery became due. */
  readonly onDeliveries: () => void
}

/** Deliveries of a channel, latest first. */
export interface DeliveryList {
  readonly deliveries: readonly ListedDelivery[]
  /** Value of `after` for the next page; null on the last one. */
  readonly next: string | null
}

function noDelivery(): GatewayError {
  return new GatewayError('not_found', 'no delivery of this channel has this id', { field: 'id' })
}

/** The log of what channels were sent; tests and retries of members. */
export class DeliveryService {
  readonly #deps: DeliveryServiceDeps
  readonly #newId: () => string

  constructor(deps: DeliveryServiceDeps) {
    this.#deps = deps
    this.#newId = createUlidSource(
      () => deps.clock.nowMs(),
      n => deps.secrets.bytes(n)
    )
  }

  /** A page of the deliveries of a channel. `invalid_field` beyond `MAX_PAGE_DELIVERIES`, `not_found` for an unknown channel. */
  async list(
    ns: Namespace,
    channelId: string,
    { first, after }: { first: number; after?: string | undefined }
  ): Promise<DeliveryList> {
    if (!Number.isInteger(first) || first < 1 || first > MAX_PAGE_DELIVERIES) {
      throw new GatewayError('invalid_field', `limit must be 1 to ${MAX_PAGE_DELIVERIES} (got ${first})`, { field: 'limit' })
    }
    await storedChannel(this.#deps.store, ns, channelId)
    const found = await this.#deps.store.deliveries.list(ns.id, { channelId, before: after, limit: first + 1 })
    const deliveries = found.slice(0, first)
    return { deliveries, next: found.length > first ? deliveries.at(-1)!.id : null }
  }

  /** Sends a test to a channel, in one attempt. `rate_limited` beyond `MAX_TESTS_A_MINUTE`. */
  async test(principal: UserPrincipal, namespace: Namespace, channelId: string): Promise<Delivery> {
    const { clock, externalUrl, onDeliveries } = this.#deps
    const delivery = await auditedWrite(this.#deps, { principal, namespace, role: 'member' }, async ports => {
      const channel = await storedChannel(ports, namespace, channelId)
      const atMs = clock.nowMs()
      await requireFewTests(ports, namespace, channelId, atMs)
      const test: Delivery = {
        id: this.#newId(),
        namespaceId: namespace.id,
        channelId,
        groupKey: null,
        type: 'webhook.test',
        body: encodeTest(channel, { receiver: channel.name, namespace: namespace.name, externalUrl, atMs }),
        createdAtMs: atMs,
        state: 'waiting',
        nextAttemptMs: atMs,
        attempts: [],
        tries: 0,
        triedSinceMs: atMs
      }
      await ports.deliveries.insert([test])
      return { result: test, event: { action: 'notification_channel.tested', target: channelId } as const }
    })
    onDeliveries()
    return delivery
  }

  /** Starts the schedule of a delivery again. `conflict` for one that was delivered or that a newer one
   * of its group replaced, `not_found` for an unknown id. */
  async retry(principal: UserPrincipal, namespace: Namespace, id: string, channelId?: string): Promise<Delivery> {
    const delivery = await auditedWrite(this.#deps, { principal, namespace, role: 'member' }, async ports => {
      const before = await ports.deliveries.byId(namespace.id, id)
      if (!before || (channelId !== undefined && before.channelId !== channelId)) throw noDelivery()
      if (before.state === 'delivered') throw new GatewayError('conflict', 'the delivery has arrived; it is not sent again')
      await requireLatest(ports, before)
      await ports.deliveries.retry(namespace.id, id, this.#deps.clock.nowMs())
      const after = await ports.deliveries.byId(namespace.id, id)
      return { result: after!, event: { action: 'notification_delivery.retried', target: id } as const }
    })
    this.#deps.onDeliveries()
    return delivery
  }
}

/** A message that arrives behind a newer one of its group would leave its alerts open at the receiver. */
async function requireLatest({ deliveries }: ControlPorts, delivery: Delivery): Promise<void> {
  if (delivery.state === 'replaced' || (await deliveries.hasNewer(delivery)))
    throw new GatewayError('conflict', 'a newer message of the same group exists; it is sent instead')
}

async function requireFewTests(ports: ControlPorts, ns: Namespace, channelId: string, nowMs: number): Promise<void> {
  const { count, firstAtMs } = await ports.deliveries.countTests(ns.id, channelId, nowMs - MINUTE_MS)
  if (count < MAX_TESTS_A_MINUTE) return
  const retryAfterS = Math.ceil(((firstAtMs ?? nowMs) + MINUTE_MS - nowMs) / 1_000)
  throw new GatewayError('rate_limited', `a channel takes at most ${MAX_TESTS_A_MINUTE} tests a minute`, { retryAfterS })
}
