import { hash } from 'node:crypto'

// 32 characters, so that five bits of a random byte choose one without bias.
const ID_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const ID_LENGTH = 20
const SECRET_BYTES = 32

/** SHA-256 in hex: what is stored of secrets that are random enough to need no slow hash. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Makes ids and secrets from injected randomness. */
export class SecretSource {
  readonly #randomBytes: (n: number) => Uint8Array

  constructor(randomBytes: (n: number) => Uint8Array) {
    this.#randomBytes = randomBytes
  }

  /** An opaque id of `length` characters `[a-z0-9]`, 5 bits each. */
  id(length = ID_LENGTH): string {
    let text = ''
    for (const byte of this.#randomBytes(length)) text += ID_ALPHABET[byte & 31]!
    return text
  }

  /** A secret of 256 random bits behind a readable prefix. */
  secret(prefix: string): string {
    return prefix + Buffer.from(this.#randomBytes(SECRET_BYTES)).toString('base64url')
  }

  bytes(n: number): Uint8Array {
    return this.#randomBytes(n)
  }
}
