import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { GatewayError } from '../domain/errors.js'
import type { SecretSource } from './secrets.js'

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

/** Cost of scrypt; stands in every hash, so that it can be raised later. */
export interface ScryptCost {
  readonly logN: number
  readonly r: number
  readonly p: number
}

/** 32 MiB and about a tenth of a second of one core. */
export const DEFAULT_SCRYPT_COST: ScryptCost = { logN: 15, r: 8, p: 3 }

const MIN_LENGTH = 8
const MAX_LENGTH = 256
const MAX_AT_ONCE = 2
const MAX_WAITING = 64
const SALT_BYTES = 16
const HASH_BYTES = 32
const HASH = /^scrypt\$1\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/

interface ParsedHash {
  readonly cost: ScryptCost
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

function parseHash(text: string): ParsedHash | null {
  const match = HASH.exec(text)
  if (!match) return null
  const [, logN, r, p, salt, hash] = match
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt!, 'base64url'),
    hash: Buffer.from(hash!, 'base64url')
  }
}

/** Refuses passwords that are too short or too long to be passwords; `field` is what the caller calls it. */
export function checkPassword(password: string, field = 'password'): void {
  const length = [...password].length
  if (length >= MIN_LENGTH && length <= MAX_LENGTH) return
  const detail = `${field} must have ${MIN_LENGTH} to ${MAX_LENGTH} characters`
  throw new GatewayError('invalid_field', detail, { field })
}

/** For work that rests on a password which is another by the time it is to be written. */
export function passwordChanged(): GatewayError {
  return new GatewayError('conflict', 'the password was changed meanwhile')
}

/** Hashes and checks passwords with scrypt, at most two at a time: each takes tens of MiB and a whole core. */
export class PasswordHasher {
  readonly #secrets: SecretSource
  readonly #cost: ScryptCost
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(secrets: SecretSource, cost: ScryptCost) {
    this.#secrets = secrets
    this.#cost = cost
  }

  async hash(password: string): Promise<string> {
    const salt = this.#secrets.bytes(SALT_BYTES)
    const { logN, r, p } = this.#cost
    const hash = await this.#derive(password, salt, this.#cost)
    return `scrypt$1$ln=${logN},r=${r},p=${p}$${Buffer.from(salt).toString('base64url')}$${hash.toString('base64url')}`
  }

  /** Whether the password is right. Without a hash (unknown user) it takes as long and is false. */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const parsed = stored === null ? this.#decoy() : parseHash(stored)
    if (!parsed) return false
    const hash = await this.#derive(password, parsed.salt, parsed.cost)
    return hash.length === parsed.hash.length && timingSafeEqual(hash, parsed.hash) && stored !== null
  }

  /** Whether the hash was made at another cost than today's. */
  isOutdated(stored: string): boolean {
    const cost = parseHash(stored)?.cost
    return cost?.logN !== this.#cost.logN || cost.r !== this.#cost.r || cost.p !== this.#cost.p
  }

  #decoy(): ParsedHash {
    return { cost: this.#cost, salt: this.#secrets.bytes(SALT_BYTES), hash: this.#secrets.bytes(HASH_BYTES) }
  }

  async #derive(password: string, salt: Uint8Array, { logN, r, p }: ScryptCost): Promise<Buffer> {
    await this.#enter()
    try {
      const N = 2 ** logN
      return await derive(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r })
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < MAX_AT_ONCE) {
      this.#running++
      return
    }
    if (this.#waiting.length >= MAX_WAITING) {
      throw new GatewayError('overloaded', 'too many sign-ins at once', { retryAfterS: 2 })
    }
    await new Promise<void>(resolve => this.#waiting.push(resolve))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    // The slot goes over to the next in line without being free in between.
    if (next) next()
    else this.#running--
  }
}
