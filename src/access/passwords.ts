import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { GatewayError } from '../domain/errors.js'
import type { Clock } from '../ports/clock.js'
import type { QueueBounds, QueueSeat } from './fair-queue.js'
import { FairQueue } from './fair-queue.js'
import type { SecretSource } from './secrets.js'

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

/** Cost of scrypt; part of every hash, so that it can be raised later. */
export interface ScryptCost {
  readonly logN: number
  readonly r: number
  readonly p: number
}

/** 32 MiB and about a tenth of a second of one core. */
export const DEFAULT_SCRYPT_COST: ScryptCost = { logN: 15, r: 8, p: 3 }

const MIN_LENGTH = 8
const MAX_LENGTH = 256
const QUEUE: QueueBounds = {
  ...{ work: 'password checks', running: 2, runningFailed: 1 },
  ...{ waiting: 64, waitingPerNetwork: 16, maxWaitMs: 2_000 }
}
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

/** Hashes and checks passwords with scrypt, in the order of a queue: each takes tens of MiB and a whole core. */
export class PasswordHasher {
  readonly #secrets: SecretSource
  readonly #cost: ScryptCost
  readonly #queue: FairQueue

  constructor(secrets: SecretSource, cost: ScryptCost, clock: Clock) {
    this.#secrets = secrets
    this.#cost = cost
    this.#queue = new FairQueue(clock, QUEUE)
  }

  /** `overloaded` when the queue has no place; see `FairQueue`. */
  async hash(password: string, seat: QueueSeat): Promise<string> {
    const salt = this.#secrets.bytes(SALT_BYTES)
    const { logN, r, p } = this.#cost
    const hash = await this.#derive(password, { salt, cost: this.#cost }, seat)
    return `scrypt$1$ln=${logN},r=${r},p=${p}$${Buffer.from(salt).toString('base64url')}$${hash.toString('base64url')}`
  }

  /** Whether the password is right. Without a hash (unknown user) it takes as long and is false. */
  async verify(password: string, stored: string | null, seat: QueueSeat): Promise<boolean> {
    const parsed = stored === null ? this.#decoy() : parseHash(stored)
    if (!parsed) return false
    const hash = await this.#derive(password, parsed, seat)
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

  #derive(password: string, { salt, cost }: Pick<ParsedHash, 'salt' | 'cost'>, seat: QueueSeat): Promise<Buffer> {
    const { logN, r, p } = cost
    const N = 2 ** logN
    const options = { N, r, p, maxmem: 256 * N * r }
    return this.#queue.run(seat, () => derive(password.normalize('NFKC'), salt, HASH_BYTES, options))
  }
}
