import type { ControlPorts, ControlStore } from '../ports/control-store.js'
import type { SigningKey } from '../ports/session-tokens.js'
import type { Purge } from './purge.js'
import type { SecretBox } from './secret-box.js'

/** A signing key with its private part in the clear. */
export interface OpenSigningKey extends Omit<SigningKey, 'privateKey'> {
  readonly privateJwk: Readonly<Record<string, unknown>>
}

function contextOf(kid: string): string {
  return `signing_keys.private_jwk ${kid}`
}

/** Signing keys of the control store, whose private parts are sealed by a `SecretBox`. */
export class SealedSigningKeys {
  readonly #box: SecretBox

  constructor(box: SecretBox) {
    this.#box = box
  }

  /** The private part of a key. `conflict` when it was sealed by a key that is not configured. */
  privateJwkOf({ kid, privateKey }: SigningKey): Readonly<Record<string, unknown>> {
    return JSON.parse(this.#box.open(contextOf(kid), privateKey)) as Readonly<Record<string, unknown>>
  }

  async insert(ports: ControlPorts, { privateJwk, ...key }: OpenSigningKey): Promise<void> {
    await ports.signingKeys.insert({ ...key, privateKey: this.#box.seal(contextOf(key.kid), JSON.stringify(privateJwk)) })
  }

  /**
   * Seals all keys as the configuration wants it: plain ones when there is a key now, those of the previous key by the
   * current one. What they were before is marked to be purged. `conflict` when one cannot be opened.
   */
  async reseal(store: ControlStore, purge: Pick<Purge, 'mark'>): Promise<void> {
    await store.transaction(async ports => {
      let isChanged = false
      for (const { kid, privateKey } of await ports.signingKeys.all()) {
        const plain = this.#box.open(contextOf(kid), privateKey)
        if (!this.#box.isStale(privateKey)) continue
        await ports.signingKeys.setPrivate(kid, this.#box.seal(contextOf(kid), plain))
        isChanged = true
      }
      if (isChanged) await purge.mark(ports)
    })
  }
}
