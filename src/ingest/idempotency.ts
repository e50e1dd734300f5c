import { createHash } from 'node:crypto'
import { type ErrorCode, GatewayError, isGatewayError } from '../domain/errors.js'
import type { IngestId, NamespaceId } from '../domain/ids.js'
import type { Principal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import type { IdempotencyKeys, IdempotencyRecord } from '../ports/idempotency-keys.js'
import { hashBody } from './hash-body.js'
import type { IngestResponse, IngestReply } from './ingest-request.js'
import type { FairScheduler } from './fair-scheduler.js'

const MAX_KEY_LENGTH = 255

/** What makes a key one's own: the same header elsewhere is another key. */
export interface IdempotencyScope {
  readonly namespace: NamespaceId
  readonly principal: Principal
  readonly route: string
  readonly key: string
}

/** What storing gave: the reply, and whether an earlier run of the same ingest id had stored it already. */
export interface StoredReply {
  readonly reply: IngestReply
  readonly wasStored: boolean
}

/** The reservation that a request runs under. */
interface Reserved {
  readonly reserved: IdempotencyRecord
  /** Made by this request, not by an earlier one. */
  readonly isOwn: boolean
}

/** Dependencies of `Idempotency`. */
export interface IdempotencyDeps {
  readonly keys: IdempotencyKeys
  readonly clock: Clock
  readonly newIngestId: () => IngestId
  readonly scheduler: FairScheduler
  readonly keptMs: number
  readonly onError: (error: unknown, what: string) => void
}

function scopeHash(scope: IdempotencyScope): string {
  const { principal } = scope
  const credential = principal.kind === 'key' ? principal.keyId : principal.userId
  const text = JSON.stringify([scope.namespace, principal.kind, credential, scope.route, scope.key])
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Errors of the service and its stores. An attempt that ends in one may have stored all records, or some: a store that
 * refuses one record of a batch for want of room has taken others.
 */
const UNDECIDED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'internal',
  'not_implemented',
  'store_unavailable',
  'overloaded',
  'storage_full',
  'query_timeout'
])

/** Whether the request itself was refused, so that none of its records is stored. */
function isRefusal(error: unknown): boolean {
  return isGatewayError(error) && !UNDECIDED.has(error.code)
}

/**
 * `Idempotency-Key`: a reservation pins the ingest id before anything is stored, and the store knows an ingest id that
 * it has stored. So a repeat after a crash at any point stores nothing twice: it runs again under the pinned id.
 */
export class Idempotency {
  readonly #deps: IdempotencyDeps
  /** Scopes that this process is working on. */
  readonly #running = new Set<string>()

  constructor(deps: IdempotencyDeps) {
    this.#deps = deps
  }

  /**
   * Runs `work` under a pinned ingest id, or returns the earlier result. `idempotency_mismatch` for another body
   * under the same key, `idempotency_in_progress` while the first request runs.
   */
  async run(scope: IdempotencyScope, body: Buffer, work: (ingestId: IngestId) => Promise<StoredReply>): Promise<IngestResponse> {
    if (scope.key.length > MAX_KEY_LENGTH) {
      throw new GatewayError('invalid_field', `Idempotency-Key must not exceed ${MAX_KEY_LENGTH} characters`, {
        field: 'Idempotency-Key'
      })
    }
    const hash = scopeHash(scope)
    const bodyHash = (await hashBody([], body, this.#deps.scheduler)).toString('hex')
    if (this.#running.has(hash)) throw inProgress()
    this.#running.add(hash)
    try {
      return await this.#runAlone(hash, bodyHash, work)
    } finally {
      this.#running.delete(hash)
    }
  }

  /** Forgets the keys that are older than they are kept. */
  async sweep(): Promise<void> {
    await this.#deps.keys.deleteBefore(this.#deps.clock.nowMs() - this.#deps.keptMs)
  }

  async #runAlone(scope: string, bodyHash: string, work: (id: IngestId) => Promise<StoredReply>): Promise<IngestResponse> {
    const { reserved, isOwn } = await this.#reserve(scope, bodyHash)
    if (reserved.bodyHash !== bodyHash) {
      throw new GatewayError('idempotency_mismatch', 'this Idempotency-Key was used with a different body')
    }
    if (reserved.reply !== null) return { reply: (JSON.parse(reserved.reply) as { body: IngestReply }).body, isReplay: true }
    try {
      const { reply, wasStored } = await work(reserved.ingestId)
      await this.#quietly('keeping the reply of an Idempotency-Key', () =>
        this.#deps.keys.complete(reserved, JSON.stringify({ status: 200, body: reply }))
      )
      return { reply, isReplay: wasStored }
    } catch (error) {
      // An earlier attempt may have stored what this one is refused for: its ingest id must outlast the refusal.
      if (isOwn && isRefusal(error)) {
        await this.#quietly('marking an Idempotency-Key as refused', () => this.#deps.keys.refuse(reserved))
      }
      throw error
    }
  }

  async #reserve(scope: string, bodyHash: string): Promise<Reserved> {
    const first = await this.#reserveOnce(scope, bodyHash)
    const { reserved } = first
    const isOver = reserved.createdAtMs < this.#deps.clock.nowMs() - this.#deps.keptMs
    const isFree = reserved.isRefused && reserved.bodyHash !== bodyHash
    if (!isOver && !isFree) return first
    await this.#deps.keys.release(reserved)
    return this.#reserveOnce(scope, bodyHash)
  }

  async #reserveOnce(scope: string, bodyHash: string): Promise<Reserved> {
    const ingestId = this.#deps.newIngestId()
    const createdAtMs = this.#deps.clock.nowMs()
    const reserved = await this.#deps.keys.reserve({ scope, bodyHash, ingestId, createdAtMs, reply: null, isRefused: false })
    return { reserved, isOwn: reserved.ingestId === ingestId }
  }

  /** Faults after the records are stored must not turn the response: a repeat finds them by the pinned id. */
  async #quietly(what: string, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.#deps.onError(error, what)
    }
  }
}

function inProgress(): GatewayError {
  return new GatewayError('idempotency_in_progress', 'the first request with this Idempotency-Key is still running', {
    retryAfterS: 1
  })
}
