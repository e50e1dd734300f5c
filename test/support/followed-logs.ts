import { recordId } from '../../src/domain/ids.js'
import type { StoredLog } from '../../src/domain/records/log.js'
import { createUlidSource } from '../../src/domain/ulid.js'
import { LogTail, type TailDelivery } from '../../src/query/log-tail/log-tail.js'
import { TailCursors } from '../../src/query/log-tail/tail-cursor.js'
import { TailReads } from '../../src/query/log-tail/tail-reads.js'
import { EMPTY_LOG } from './empty-log.js'
import { LogRows, TAIL_NAMESPACE } from './log-rows.js'
import { ManualTime } from './manual-time.js'

const EVERY_MS = 250

/** Live tails over logs in memory, whose time passes by hand. */
export class FollowedLogs {
  readonly time = new ManualTime()
  readonly store = new LogRows()
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
      TAIL_NAMESPACE,
      { conditions: {}, everyMs: EVERY_MS, max, ...(after === undefined ? {} : { after }) },
      new AbortController().signal
    ).deliveries
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
