import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { GatewayError } from '../domain/errors.js'
import type { Filter } from '../domain/filter.js'
import { type NamespaceId, parseRecordId } from '../domain/ids.js'
import type { Order } from '../domain/search.js'
import type { ResolvedWindow } from '../domain/time-range.js'
import { canonicalTraceId } from '../domain/trace-ids.js'

/** What a cursor belongs to: it is refused anywhere else. */
export interface CursorScope {
  readonly list: 'logs' | 'rum' | 'errors' | 'traces by start' | 'traces by duration'
  readonly namespace: NamespaceId
  readonly filter: Filter
  /** What else decides which rows are in the list, as text. */
  readonly conditions?: string
}

/** The last row that was given out: what the list is sorted by, and the id that breaks ties. */
export interface CursorPosition {
  /** Unix nanoseconds; a length of time in lists that are sorted by it. */
  readonly timestampNs: bigint
  /** A record id, or the id of a trace. */
  readonly id: string
}

/** What a cursor remembers. `position` null is the very beginning. */
export interface CursorState {
  readonly window: ResolvedWindow
  readonly order: Order
  readonly position: CursorPosition | null
  /** The page ends before the position instead of beginning after it. */
  readonly isBackward?: boolean
}

const MAC_BYTES = 16
const MAX_CURSOR_CHARS = 512
const VERSION = 1

/** The signed content: version, order, window start, end and unit, position time and id; of cursors that lead back, 'backward'. */
type Content = readonly [number, Order, string, string, ResolvedWindow['unitDetected'], string | null, string | null, 'backward'?]

function refused(detail: string): GatewayError {
  return new GatewayError('invalid_field', detail, { field: 'cursor' })
}

function toState(content: Content): CursorState {
  const [, order, startNs, endNs, unitDetected, timestampNs, id, direction] = content
  const isPlace = timestampNs !== null && id !== null && (parseRecordId(id) !== null || canonicalTraceId(id) === id)
  const position = isPlace ? { timestampNs: BigInt(timestampNs), id } : null
  const window = { startNs: BigInt(startNs), endNs: BigInt(endNs), unitDetected }
  return { window, order, position, ...(direction === 'backward' && { isBackward: true }) }
}

/**
 * Turns places in a list into opaque signed strings and back. A cursor holds absolute times only, so it means the same
 * after new rows, after a restart and while `now-15m` moves on.
 */
export class CursorCodec {
  readonly #secret: string

  /** @param secret the same over restarts, at least 32 characters */
  constructor(secret: string) {
    if (secret.length < 32) throw new Error('the cursor secret is too short')
    this.#secret = secret
  }

  encode(scope: CursorScope, { window, order, position, isBackward = false }: CursorState): string {
    const place = [
      VERSION,
      order,
      String(window.startNs),
      String(window.endNs),
      window.unitDetected,
      position && String(position.timestampNs),
      position && position.id
    ] as const
    const content: Content = isBackward ? [...place, 'backward'] : place
    const bytes = Buffer.from(JSON.stringify(content))
    return Buffer.concat([this.#mac(scope, bytes), bytes]).toString('base64url')
  }

  /** Throws `invalid_field` for a string that is not a cursor of this scope. */
  decode(scope: CursorScope, text: string): CursorState {
    if (text.length > MAX_CURSOR_CHARS) throw refused('cursor was not issued by this service')
    const bytes = Buffer.from(text, 'base64url')
    const content = bytes.subarray(MAC_BYTES)
    const mac = bytes.subarray(0, MAC_BYTES)
    // One result for all: a cursor of elsewhere and a forged one cannot be distinguished by what is signed.
    if (mac.length < MAC_BYTES || !timingSafeEqual(mac, this.#mac(scope, content)))
      throw refused('cursor belongs to another filter or namespace, or was not issued by this service')
    return toState(JSON.parse(content.toString()) as Content)
  }

  #mac(scope: CursorScope, content: Buffer): Buffer {
    const place = createHash('sha256')
      .update(JSON.stringify([scope.list, scope.namespace, scope.filter, scope.conditions].filter(part => part !== undefined)))
      .digest()
    return createHmac('sha256', this.#secret).update(place).update(content).digest().subarray(0, MAC_BYTES)
  }
}
