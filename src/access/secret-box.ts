import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { GatewayError } from '../domain/errors.js'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const KEY_ID_BYTES = 6
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_INFO = 'alidade secrets aes-256-gcm v1'
const KEY_ID_INFO = 'alidade secrets key id v1'
const ENVELOPE = /^sealed:v1:([\w-]{8}):([\w-]{16}):([\w-]+)$/

/** Keys as they were configured. */
export interface SecretKeys {
  /** Seals from now on; null: what is stored stays or becomes plain. */
  readonly current: string | null
  /** Opens what an earlier key sealed, so that it can be sealed again. */
  readonly previous: string | null
}

interface DerivedKey {
  readonly id: string
  readonly bytes: Buffer
}

// RFC 5869 without a salt: the configured key has the entropy, and every gateway must derive the same.
function derive(secret: string): DerivedKey {
  const expand = (info: string, bytes: number): Buffer => Buffer.from(hkdfSync('sha256', secret, '', info, bytes))
  return { id: expand(KEY_ID_INFO, KEY_ID_BYTES).toString('base64url'), bytes: expand(KEY_INFO, KEY_BYTES) }
}

/**
 * Seals small secrets for the control store: AES-256-GCM under a key derived from `secrets_key` by HKDF-SHA256. A sealed
 * value is `sealed:v1:<key id>:<nonce>:<ciphertext and tag>` in base64url; its context (table, column, row) is
 * authenticated, so that a value cannot be moved to another place.
 */
export class SecretBox {
  readonly #current: DerivedKey | null
  readonly #keys: readonly DerivedKey[]
  readonly #randomBytes: (n: number) => Uint8Array

  constructor({ current, previous }: SecretKeys, randomBytes: (n: number) => Uint8Array) {
    this.#current = current === null ? null : derive(current)
    this.#keys = [this.#current, previous === null ? null : derive(previous)].filter(key => key !== null)
    this.#randomBytes = randomBytes
  }

  /** The value as it is to be stored: sealed by the current key, plain without a key. */
  seal(context: string, plain: string): string {
    if (!this.#current) return plain
    const { id, bytes } = this.#current
    const nonce = Buffer.from(this.#randomBytes(NONCE_BYTES))
    const cipher = createCipheriv(CIPHER, bytes, nonce).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return ['sealed', 'v1', id, nonce.toString('base64url'), sealed.toString('base64url')].join(':')
  }

  /** The plain value of what `seal` made, or of a value from before there was a key. `conflict` when no key opens it. */
  open(context: string, stored: string): string {
    const match = ENVELOPE.exec(stored)
    if (!match) return stored
    const [, id = '', nonce = '', text = ''] = match
    const key = this.#keys.find(known => known.id === id)
    if (!key) throw this.#wrongKey(id)
    const sealed = Buffer.from(text, 'base64url')
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, Buffer.from(nonce, 'base64url')).setAAD(Buffer.from(context))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
    } catch (error) {
      throw new GatewayError('conflict', `the stored secret ${context} is damaged: its seal does not match`, { cause: error })
    }
  }

  /** Whether `seal` would store the value differently: plain or sealed by another key, or sealed while there is no key. */
  isStale(stored: string): boolean {
    const id = ENVELOPE.exec(stored)?.[1] ?? null
    return id !== (this.#current?.id ?? null)
  }

  #wrongKey(id: string): GatewayError {
    const sealed = `secrets of this installation are sealed by the secrets key ${id}`
    const given =
      this.#keys.length === 0 ? 'secrets_key is not set' : `the given key is ${this.#keys.map(key => key.id).join(', ')}`
    const remedy = 'set secrets_key to that key, or secrets_key_previous to it while changing to another'
    return new GatewayError('conflict', `${sealed}, but ${given}; ${remedy}`)
  }
}
