import type { Purge } from '../../access/purge.js'
import type { SecretBox } from '../../access/secret-box.js'
import type { Channel } from '../../domain/alerts/channel.js'
import type { ControlStore } from '../../ports/control-store.js'

/** What of a channel is sealed in the control store: its address may carry a credential as well. */
export interface ChannelSecrets {
  readonly url: string
  readonly secret: string
  readonly previousSecret: string | null
}

const SEALED = ['url', 'secret', 'previousSecret'] as const

function contextOf(id: string, member: (typeof SEALED)[number]): string {
  return `notification_channels.${member} ${id}`
}

/** Seals and opens what channels keep secret. */
export class SealedChannels {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  seal(id: string, { url, secret, previousSecret }: ChannelSecrets): ChannelSecrets {
    return {
      url: this.#box.seal(contextOf(id, 'url'), url),
      secret: this.#box.seal(contextOf(id, 'secret'), secret),
      previousSecret: previousSecret === null ? null : this.#box.seal(contextOf(id, 'previousSecret'), previousSecret)
    }
  }

  /** `conflict` when a value was sealed by a key that is not configured. */
  open({ id, url, secret, previousSecret }: Pick<Channel, 'id' | keyof ChannelSecrets>): ChannelSecrets {
    return {
      url: this.#box.open(contextOf(id, 'url'), url),
      secret: this.#box.open(contextOf(id, 'secret'), secret),
      previousSecret: previousSecret === null ? null : this.#box.open(contextOf(id, 'previousSecret'), previousSecret)
    }
  }

  /** Seals all channels by the configured key, and marks what they were before to be purged. */
  async reseal(store: ControlStore, purge: Pick<Purge, 'mark'>): Promise<void> {
    await store.transaction(async ports => {
      let isChanged = false
      for (const channel of await ports.notificationChannels.everywhere()) {
        const isStale = SEALED.some(member => channel[member] !== null && this.#box.isStale(channel[member]))
        if (!isStale) continue
        await ports.notificationChannels.put({ ...channel, ...this.seal(channel.id, this.open(channel)) })
        isChanged = true
      }
      if (isChanged) await purge.mark(ports)
    })
  }
}
