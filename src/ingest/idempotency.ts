import { createHash } from 'node:crypto'
import { GatewayError, isGatewayError } from '../domain/errors.js'
import type { IngestId, NamespaceId } from '../domain/ids.js'
import type { Principal } from '../domain/principal.js'
import type { Clock } from '../ports/clock.js'
import type { IdempotencyKeys, IdempotencyRecord } from '../ports/control-store.js'
import { hashBody } from './hash-body.js'
import type { IngestAnswer, IngestReply } from './ingest-request.js'
import type { Turns } from './turns.js'

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

export interface IdempotencyDeps {
  readonly keys: IdempotencyKeys
  readonly clock: Clock
  readonly newIngestId: () => IngestId
  readonly turns: Turns
  readonly keptMs: number
  readonly onError: (error: unknown, what: string) => void
}

function scopeHash(scope: IdempotencyScope): string {
  const { principal } = scope
  const credential = principal.kind === 'key' ? principal.keyId : principal.userId
  const text = JSON.stringify([scope.namespace, principal.kind, credential, scope.route, scope.key])
  return createHash('sha256').update(text).digest('hex')
}

/** Whether a fault leaves it certain that nothing was stored: then the key is free again. */
function isRefusal(error: unknown): boolean {
  return isGatewayError(error) && !['internal', 'store_unavailable', 'storage_full'].includes(error.code)
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
   * Runs `work` under a pinned ingest id, or answers what it answered before. `idempotency_mismatch` for another body
   * under the same key, `idempotency_in_progress` while the first request runs.
   */
  async run(scope: IdempotencyScope, body: Buffer, work: (ingestId: IngestId) => Promise<StoredReply>): Promise<IngestAnswer> {
    if (scope.key.length > MAX_KEY_LENGTH) {
      throw new GatewayError('invalid_field', `Idempotency-Key may have ${MAX_KEY_LENGTH} characters`, {
        field: 'Idempotency-Key'
      })
    }
    const hash = scopeHash(scope)
    const bodyHash = (await hashBody([], body, this.#deps.turns)).toString('hex')
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

  async #runAlone(scope: string, bodyHash: string, work: (id: IngestId) => Promise<StoredReply>): Promise<IngestAnswer> {
    const standing = await this.#reserve(scope, bodyHash)
    if (standing.bodyHash !== bodyHash) {
      throw new GatewayError('idempotency_mismatch', 'this Idempotency-Key was used with another body')
    }
    if (standing.reply !== null) return { reply: (JSON.parse(standing.reply) as { body: IngestReply }).body, isReplay: true }
    try {
      const { reply, wasStored } = await work(standing.ingestId)
      await this.#quietly('keeping the reply of an Idempotency-Key', () =>
        this.#deps.keys.complete(scope, JSON.stringify({ status: 200, body: reply }))
      )
      return { reply, isReplay: wasStored }
    } catch (error) {
      if (isRefusal(error)) await this.#quietly('releasing an Idempotency-Key', () => this.#deps.keys.release(scope))
      throw error
    }
  }

  async #reserve(scope: string, bodyHash: string): Promise<IdempotencyRecord> {
    const nowMs = this.#deps.clock.nowMs()
    const mine = (): IdempotencyRecord => ({
      scope,
      bodyHash,
      ingestId: this.#deps.newIngestId(),
      createdAtMs: nowMs,
      reply: null
    })
    const standing = await this.#deps.keys.reserve(mine())
    if (standing.createdAtMs >= nowMs - this.#deps.keptMs) return standing
    await this.#deps.keys.release(scope)
    return this.#deps.keys.reserve(mine())
  }

  /** Faults after the records are stored must not turn the answer: a repeat finds them by the pinned id. */
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
