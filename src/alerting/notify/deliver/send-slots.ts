import type { ListedDelivery } from '../../../domain/alerts/delivery.js'
import type { DueLimits } from '../../../ports/notifications.js'

/** Attempts in flight to one channel. */
export const MAX_PER_CHANNEL = 4
/** Attempts in flight of one namespace. */
export const MAX_PER_NAMESPACE = 32
/** Attempts in flight in all. */
export const MAX_IN_FLIGHT = 256

/** Counts by key that forget what is not in use. */
class Counts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, change: 1 | -1): void {
    const count = this.of(key) + change
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

/** Which attempts may be in flight together. */
export class SendSlots {
  readonly #ids = new Set<string>()
  readonly #groups = new Set<string>()
  readonly #channels = new Counts()
  readonly #namespaces = new Counts()

  /** Twice what fits of a channel is read: those in flight are among them. */
  limits(): DueLimits {
    return { perChannel: 2 * MAX_PER_CHANNEL, total: 2 * MAX_IN_FLIGHT }
  }

  /** Takes a slot; the returned function frees it. Null while all are taken, or a message of its group is in flight. */
  enter({ namespaceId, channelId, id, groupKey }: ListedDelivery): (() => void) | null {
    const own = `${namespaceId} ${id}`
    const channel = `${namespaceId} ${channelId}`
    const group = `${channel} ${groupKey ?? id}`
    if (this.#ids.size >= MAX_IN_FLIGHT || this.#ids.has(own) || this.#groups.has(group)) return null
    if (this.#channels.of(channel) >= MAX_PER_CHANNEL || this.#namespaces.of(namespaceId) >= MAX_PER_NAMESPACE) return null
    this.#ids.add(own)
    this.#groups.add(group)
    this.#channels.add(channel, 1)
    this.#namespaces.add(namespaceId, 1)
    return () => {
      this.#ids.delete(own)
      this.#groups.delete(group)
      this.#channels.add(channel, -1)
      this.#namespaces.add(namespaceId, -1)
    }
  }
}
