import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '../../domain/errors.js'
import type { Filter } from '../../domain/filter.js'
import { type NamespaceId, parseRecordId, type RecordId } from '../../domain/ids.js'
import type { Position } from '../../domain/search.js'
import { MAX_CURSOR_CHARS } from './limits.js'
import { DIGEST_CHARS } from './seen-records.js'

/** All that arrived from `fromMs` to before `toMs`, Unix milliseconds, and how many of it were delivered or counted as dropped. */
export interface CountedSpan {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
}

/** Where a tail is: enough to go on on another socket, after a restart and on another gateway. */
export interface TailState {
  /** Everything that arrived before was delivered or counted as dropped, Unix milliseconds. */
  readonly markMs: number
  /**
   * The pass over the records from `markMs` on that is in progress. It has `read` so many; `settled` are those of them that no
   * later pass reads again.
   */
  readonly pass: { readonly startedMs: number; readonly after: Position; readonly read: number; readonly settled: number } | null
  /** Digests of delivered records that the next pass finds again. */
  readonly digests: readonly string[]
  /** Nothing that arrived later has been delivered. Unix milliseconds. */
  readonly atMs: number
  /**
   * What is counted once more: records that become searchable late are found by their number. Oldest first, each begins where
   * the one before ends, and the last ends at `markMs`.
   */
  readonly counted: readonly CountedSpan[]
}

/** Cursors of earlier versions have no more than the first six, eight, or nine. */
type Content = readonly [
  version: number,
  markMs: number,
  startedMs: number,
  afterNs: string,
  afterId: string,
  digests: string,
  atMs?: number,
  settled?: number,
  counted?: readonly (readonly [fromMs: number, toMs: number, count: number])[],
  read?: number
]

const VERSION = 1
const MAC_BYTES = 16

function refused(): GatewayError {
  return new GatewayError('invalid_field', 'after belongs to another filter or namespace, or was not issued by this service', {
    field: 'after'
  })
}

function toState([, markMs, startedMs, afterNs, afterId, digests, ...added]: Content): TailState {
  const [atMs = markMs, settled = 0, counted = [], read = settled] = added
  const isPosition = parseRecordId(afterId) !== null
  const count = Math.floor(digests.length / DIGEST_CHARS)
  const after = { timestampNs: BigInt(afterNs), id: afterId as RecordId }
  return {
    markMs,
    pass: isPosition ? { startedMs, after, read, settled } : null,
    digests: Array.from({ length: count }, (_, i) => digests.slice(i * DIGEST_CHARS, (i + 1) * DIGEST_CHARS)),
    atMs,
    counted: counted.map(([fromMs, toMs, spanCount]) => ({ fromMs, toMs, count: spanCount }))
  }
}

/** Turns states of tails into opaque signed strings and back. */
export class TailCursors {
  readonly #secret: string

  /** @param secret the same over restarts */
  constructor(secret: string) {
    this.#secret = secret
  }

  encode(ns: NamespaceId, filter: Filter, { markMs, pass, digests, atMs, counted }: TailState): string {
    const after = pass ? [pass.startedMs, String(pass.after.timestampNs), pass.after.id] : [0, '', '']
    const spans = counted.map(({ fromMs, toMs, count }) => [fromMs, toMs, count])
    const added = [atMs, pass?.settled ?? 0, spans, pass?.read ?? 0]
    const bytes = Buffer.from(JSON.stringify([VERSION, markMs, ...after, digests.join(''), ...added]))
    return Buffer.concat([this.#mac(ns, filter, bytes), bytes]).toString('base64url')
  }

  /** Throws `invalid_field` for a string that is not a cursor of this namespace and filter. */
  decode(ns: NamespaceId, filter: Filter, text: string): TailState {
    if (text.length > MAX_CURSOR_CHARS) throw refused()
    const bytes = Buffer.from(text, 'base64url')
    const [mac, content] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
    if (mac.length < MAC_BYTES || !timingSafeEqual(mac, this.#mac(ns, filter, content))) throw refused()
    return toState(JSON.parse(content.toString()) as Content)
  }

  #mac(ns: NamespaceId, filter: Filter, content: Buffer): Buffer {
    const place = createHash('sha256')
      .update(JSON.stringify(['log tail', ns, filter]))
      .digest()
    return createHmac('sha256', this.#secret).update(place).update(content).digest().subarray(0, MAC_BYTES)
  }
}
