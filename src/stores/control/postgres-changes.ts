import { setImmediate, setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { JobMonitor } from '../../ports/background-jobs.js'
import type { ControlChange, ControlChanges } from '../../ports/control-changes.js'
import { connectionConfig } from './postgres-pool.js'
import { CHANNEL } from './postgres-triggers.js'
import type { NamespaceId, UserId } from '../../domain/ids.js'

/** Parses a notification of the database. An unknown one, of a newer version, counts as `anything`. */
function parseChange(text: string): ControlChange {
  const [kind, ...parts] = text.split(' ')
  const [first = '', second = ''] = parts
  switch (kind) {
    case 'namespace':
      return { kind, namespaceId: first as NamespaceId }
    case 'member':
      return { kind, namespaceId: first as NamespaceId, userId: second as UserId }
    case 'user':
      return { kind, userId: first as UserId }
    case 'key':
      return { kind, hashes: [...new Set(parts)] }
    case 'session':
      return { kind, familyId: first }
    case 'series':
    case 'alert_rules':
      return { kind, namespaceId: first as NamespaceId }
    case 'signing_keys':
      return { kind }
    default:
      return { kind: 'anything' }
  }
}

// A connection that died without a word is found out within the sum of these two: less than the second that
// `ControlChanges.isCurrent` promises.
const BEAT_EVERY_MS = 250
const BEAT_TIMEOUT_MS = 500
const CONNECT_TIMEOUT_MS = 2_000
const RECONNECT_AFTER_MS = 250
/** How long a graceful close may take. */
const END_TIMEOUT_MS = 1_000
/** Shown by `pg_stat_activity`. */
const APPLICATION_NAME = 'alidade news'

/** One connection that listens, and whether it is lost. */
interface Listening {
  readonly client: pg.Client
  readonly lost: AbortSignal
}

/** Listens for what all gateways write, over a connection of its own that it opens again whenever it is lost. */
export class PostgresChanges implements ControlChanges {
  readonly #config: pg.ClientConfig
  readonly #job: JobMonitor
  readonly #listeners: ((change: ControlChange) => void)[] = []
  readonly #stop = new AbortController()
  #isCurrent = false
  #following: Promise<void> = Promise.resolve()

  constructor({ url, job }: { readonly url: string; readonly job: JobMonitor }) {
    this.#job = job
    this.#config = {
      ...connectionConfig({ url, statementTimeoutMs: BEAT_TIMEOUT_MS }),
      application_name: APPLICATION_NAME,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS
    }
  }

  isCurrent(): boolean {
    return this.#isCurrent
  }

  subscribe(listener: (change: ControlChange) => void): void {
    this.#listeners.push(listener)
  }

  /** Resolves when it listens, or when that failed and it goes on trying. */
  async start(): Promise<void> {
    const first = await this.#listen()
    this.#following = this.#follow(first)
  }

  /** Ends the connection and all notifications. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.#following
  }

  async #follow(first: Listening | null): Promise<void> {
    for (let listening = first; ; listening = await this.#listen()) {
      if (listening) await this.#watch(listening)
      if (this.#stop.signal.aborted) return
      await pause(RECONNECT_AFTER_MS, this.#stop.signal)
    }
  }

  /** Null when the database cannot be reached. */
  async #listen(): Promise<Listening | null> {
    if (this.#stop.signal.aborted) return null
    const client = new pg.Client(this.#config)
    const lost = new AbortController()
    const onLost = (): void => {
      this.#isCurrent = false
      lost.abort()
    }
    client.on('error', onLost).on('end', onLost)
    client.on('notification', ({ payload }) => this.#notify(parseChange(payload ?? '')))
    try {
      await client.connect()
      await inTime(client.query(`listen ${CHANNEL}`))
    } catch (error) {
      this.#job.failed(error)
      await end(client)
      return null
    }
    this.#job.succeeded()
    // Whatever was written before it listened is unknown.
    this.#notify({ kind: 'anything' })
    this.#isCurrent = !lost.signal.aborted
    return { client, lost: lost.signal }
  }

  /** Resolves when the connection is lost or no longer needed. */
  async #watch({ client, lost }: Listening): Promise<void> {
    const ended = AbortSignal.any([lost, this.#stop.signal])
    try {
      while (!ended.aborted) {
        await pause(BEAT_EVERY_MS, ended)
        if (!ended.aborted) await inTime(client.query('select 1'))
      }
    } catch (error) {
      // A missing response is a loss too.
      this.#job.failed(error)
    }
    this.#isCurrent = false
    await end(client)
  }

  #notify(change: ControlChange): void {
    if (this.#stop.signal.aborted) return
    for (const listener of this.#listeners) listener(change)
  }
}

async function pause(ms: number, until: AbortSignal): Promise<void> {
  // Rejects only when it is aborted, which ends the pause.
  await setTimeout(ms, undefined, { signal: until }).catch(() => undefined)
}

/** Rejects after the timeout. A result that is in the socket because this process was busy is in time. */
async function inTime(response: Promise<unknown>): Promise<void> {
  const finished = new AbortController()
  const silence = async (): Promise<never> => {
    await setTimeout(BEAT_TIMEOUT_MS, undefined, { signal: finished.signal })
    await setImmediate(undefined, { signal: finished.signal })
    throw new Error('the database is unavailable')
  }
  try {
    await Promise.race([response, silence()])
  } finally {
    finished.abort()
  }
}

async function end(client: pg.Client): Promise<void> {
  // A connection that is lost cannot be closed in order.
  const ended = client.end().catch(() => undefined)
  await Promise.race([ended, setTimeout(END_TIMEOUT_MS, undefined, { ref: false })])
}
