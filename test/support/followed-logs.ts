import type { Filter } from '../../src/domain/filter.js'
import { GatewayError } from '../../src/domain/errors.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { recordId } from '../../src/domain/ids.js'
import { DEFAULT_RETENTION, type Namespace } from '../../src/domain/namespace.js'
import type { StoredLog } from '../../src/domain/records/log.js'
import type { SearchRequest, SearchResult } from '../../src/domain/search.js'
import { DEFAULT_STORAGE } from '../../src/domain/storage-plan.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import { LogTail, type TailDelivery } from '../../src/query/log-tail/log-tail.js'
import { TailCursors } from '../../src/query/log-tail/tail-cursor.js'
import { TailReads } from '../../src/query/log-tail/tail-reads.js'
import { EMPTY_LOG } from './empty-log.js'
import { ManualTime } from './manual-time.js'

const NS: Namespace = {
  id: 'nstailunittest' as NamespaceId,
  name: 'shop',
  kind: 'team',
  state: 'active',
  retention: DEFAULT_RETENTION,
  storage: DEFAULT_STORAGE.team,
  createdAtMs: 0
}
const EVERY_MS = 250

/** Logs in memory; a record is visible when it was added. */
class Rows {
  readonly all: StoredLog[] = []
  #sorted: readonly StoredLog[] = []
  failures = 0
  searches = 0

  async search(_ns: NamespaceId, { filter, rows, total }: SearchRequest): Promise<SearchResult<StoredLog>> {
    this.searches++
    if (this.failures > 0) {
      this.failures--
      throw new GatewayError('store_unavailable', 'the store does not respond')
    }
    const { gte = '', lt = '~' } = arrivalOf(filter)
    if (this.#sorted.length !== this.all.length) this.#sorted = this.all.toSorted(compare)
    const found = this.#sorted.filter(({ id }) => id >= gte && id < lt)
    const after = rows?.after
    const rest = after ? found.filter(row => compare(row, { ...row, ...after }) > 0) : found
    return {
      complete: true,
      warnings: [],
      ...(rows && { rows: rest.slice(0, rows.limit), hasMore: rest.length > rows.limit }),
      ...(total && { total: { value: found.length, relation: 'eq' } })
    }
  }
}

function compare(a: StoredLog, b: StoredLog): number {
  if (a.timestampNs !== b.timestampNs) return a.timestampNs < b.timestampNs ? -1 : 1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

function arrivalOf(filter: Filter): { gte?: string; lt?: string } {
  const parts = filter.kind === 'and' ? filter.of : [filter]
  return parts.find(part => part.kind === 'range' && part.field.name === 'ingest_id') as { gte?: string; lt?: string }
}

/** Live tails over logs in memory, whose time passes by hand. */
export class FollowedLogs {
  readonly time = new ManualTime()
  readonly store = new Rows()
  readonly #tail: LogTail
  readonly newId = createUlidSource(
    () => this.time.nowMs(),
    size => new Uint8Array(size).fill(7)
  )

  constructor() {
    const { store: logs, time } = this
    const reads = new TailReads(time, time)
    this.#tail = new LogTail({ logs, clock: time, timers: time, reads, cursors: new TailCursors('x'.repeat(32)) })
  }

  /** A log that arrives now; it is searchable once it is among `store.all`. */
  row(message: string, { id = this.newId(), index = 0, atNs = this.time.nowNs() } = {}): StoredLog {
    return { ...EMPTY_LOG, id: recordId(id, index), ingestedAtMs: this.time.nowMs(), timestampNs: atNs, message }
  }

  follow(after?: string, max = 200): AsyncGenerator<TailDelivery, void> {
    return this.#tail.open(
      NS,
      { conditions: {}, everyMs: EVERY_MS, max, ...(after === undefined ? {} : { after }) },
      new AbortController().signal
    )
  }

  /** The next delivery, time going on in the tail's own steps. */
  async next(from: AsyncGenerator<TailDelivery, void>): Promise<TailDelivery> {
    const got = from.next().then(({ value }) => value as TailDelivery)
    for (let steps = 0; steps < 2_000; steps++) {
      const result = await Promise.race([got, new Promise<null>(resolve => setImmediate(resolve, null))])
      if (result !== null) return result
      this.time.pass(EVERY_MS)
    }
    throw new Error('no delivery')
  }

  async messages(from: AsyncGenerator<TailDelivery, void>): Promise<readonly string[]> {
    return (await this.next(from)).rows.map(({ message }) => message)
  }
}
