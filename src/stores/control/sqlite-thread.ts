import { GatewayError } from '../../domain/errors.js'
import { WorkerLink } from '../../threads/worker-link.js'
import type { Fault, StatementResult, ThreadOptions, ThreadReply, ThreadRequest } from './thread/messages.js'
import { OPENED } from './thread/messages.js'

/** An error of SQLite, by its name. */
export class SqliteFault extends Error {
  readonly code: string

  constructor({ message, code }: Fault) {
    super(message)
    this.name = 'SqliteFault'
    this.code = code
  }
}

interface PendingRequest {
  readonly resolve: (result: StatementResult) => void
  readonly reject: (error: Error) => void
}

type RequestBody<R = ThreadRequest> = R extends { readonly id: number } ? Omit<R, 'id'> : never

/** One run of the thread that owns the control database. It processes requests in the order of their arrival. */
export class SqliteThread {
  readonly #link: WorkerLink<ThreadRequest, ThreadReply>
  readonly #waiting = new Map<number, PendingRequest>()
  #lastId = OPENED
  #isAlive = true

  /** `entry` is compiled JavaScript. Send requests only after `opened`. */
  constructor(entry: string, options: ThreadOptions) {
    this.#link = new WorkerLink(entry, { data: options }, { onMessage: reply => this.#settle(reply), onExit: () => this.#end() })
  }

  /** False from the moment on when the thread is known to have ended. */
  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Resolves when the database is open; once, right after the start. */
  async opened(): Promise<void> {
    await this.#responseTo(OPENED)
  }

  /** Runs one statement. `SqliteFault`; `store_unavailable` when the thread ended, be it before or after the statement ran. */
  query(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    return this.#request({ kind: 'query', sql, parameters })
  }

  /** Begins a transaction with one statement; fails like `query`, with SQLITE_BUSY while another process writes. */
  begin(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    return this.#request({ kind: 'begin', sql, parameters })
  }

  /** Runs statements without parameters and rows; fails like `query`. */
  async exec(sql: string): Promise<void> {
    await this.#request({ kind: 'exec', sql })
  }

  /** Rolls back when a transaction is open. */
  async rollback(): Promise<void> {
    await this.#request({ kind: 'rollback' })
  }

  /** Resolves when all requests have their response, the database is closed and the thread has ended. */
  async close(): Promise<void> {
    if (!this.#isAlive) return
    this.#link.keepProcess(true)
    this.#post({ kind: 'close' })
    await this.#link.exited
    if (this.#link.cause !== null) throw this.#ended()
  }

  async #request(requested: RequestBody): Promise<StatementResult> {
    if (!this.#isAlive) throw this.#ended()
    return this.#responseTo(this.#post(requested))
  }

  #post(requested: RequestBody): number {
    const id = ++this.#lastId
    this.#link.send({ id, ...requested })
    return id
  }

  #responseTo(id: number): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#link.keepProcess(true)
    })
  }

  #settle(reply: ThreadReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    // An idle database does not keep the process alive.
    if (this.#waiting.size === 0) this.#link.keepProcess(false)
    if ('fault' in reply) waiting?.reject(new SqliteFault(reply.fault))
    else waiting?.resolve(reply.result)
  }

  #ended(): GatewayError {
    const cause = this.#link.cause ?? undefined
    return new GatewayError('store_unavailable', 'the thread of the control database has ended', { cause, retryAfterS: 1 })
  }

  #end(): void {
    this.#isAlive = false
    for (const { reject } of this.#waiting.values()) reject(this.#ended())
    this.#waiting.clear()
  }
}
