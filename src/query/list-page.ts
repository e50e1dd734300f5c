import { GatewayError } from '../domain/errors.js'
import type { Order, Position, RowsRequest } from '../domain/search.js'
import type { ResolvedWindow } from '../domain/time-range.js'
import type { ConnectionPage, Page } from './result.js'
import { boundedCount } from './bounds.js'
import type { CursorCodec, CursorPosition, CursorScope, CursorState } from './cursor.js'
import type { QuerySettings } from './settings.js'

/** The page of a list that a caller requests. */
export interface PageRequested {
  readonly rows?: boolean | undefined
  readonly order?: Order | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** Default: that of the cursor, else `forward`. */
  readonly direction?: 'forward' | 'backward' | undefined
}

type Row = CursorPosition

/** Whether more rows follow in the direction of paging, and of a page in the middle of a list, whether more precede it. */
interface More {
  readonly hasMore: boolean
  readonly hasMoreBefore?: boolean | undefined
}

/** Rows of a store. */
interface Found<R> extends Partial<More> {
  readonly rows?: readonly R[] | undefined
}

type CursorAt = (position: CursorPosition | null, isBackward?: boolean) => string

/** Rows of one page and its position. */
export interface PageOf<R> {
  readonly rows: readonly R[]
  readonly page: Page
  readonly connection: ConnectionPage
  cursorOf(row: R): string
}

/** One page of a list that is sorted by (time, id): the request to the store, and the cursors of its result. */
export class ListPage {
  readonly order: Order
  readonly limit: number
  /** The window of the cursor; null without one. */
  readonly resumed: ResolvedWindow | null
  /** After which the page begins; null at the beginning of the list. */
  readonly position: CursorPosition | null
  readonly #requested: PageRequested
  readonly #scope: CursorScope
  readonly #codec: CursorCodec
  readonly #settings: QuerySettings
  readonly #isBackward: boolean

  constructor(
    deps: { readonly codec: CursorCodec; readonly settings: QuerySettings },
    scope: CursorScope,
    requested: PageRequested
  ) {
    const state: CursorState | null = requested.cursor === undefined ? null : deps.codec.decode(scope, requested.cursor)
    if (state && requested.order !== undefined && requested.order !== state.order)
      throw new GatewayError('invalid_field', `the cursor belongs to a list in the order ${state.order}`, { field: 'order' })
    const { defaultRows, maxRows } = deps.settings
    this.limit = boundedCount(requested.limit, 'limit', { least: 0, most: maxRows, otherwise: Math.min(defaultRows, maxRows) })
    this.order = state?.order ?? requested.order ?? 'desc'
    this.resumed = state?.window ?? null
    this.position = state?.position ?? null
    this.#isBackward = requested.direction === undefined ? state?.isBackward === true : requested.direction === 'backward'
    this.#requested = requested
    this.#scope = scope
    this.#codec = deps.codec
    this.#settings = deps.settings
  }

  /** The rows to request from a store; undefined if the caller requested none. */
  request(): RowsRequest | undefined {
    if (this.#requested.rows === false) return undefined
    const order = this.#isBackward ? (this.order === 'asc' ? 'desc' : 'asc') : this.order
    const rows = { limit: this.limit, order, maxBytes: this.#settings.maxPageBytes }
    return this.position ? { ...rows, after: this.position as Position } : rows
  }

  /** The page out of a store's rows. `bytesOf` is about the size of a row as JSON. */
  paged<R extends Row>(found: Found<R>, window: ResolvedWindow, bytesOf: (row: R) => number): PageOf<R> {
    const { rows: all = [], hasMore: storeHasMore = false, hasMoreBefore } = found
    const cut = this.#withinBytes(all, bytesOf)
    const more = { hasMore: storeHasMore || cut.length < all.length, hasMoreBefore }
    const rows = this.#isBackward ? cut.toReversed() : cut
    const cursorAt: CursorAt = (position, isBackward = false) =>
      this.#codec.encode(this.#scope, { window, order: this.order, position, isBackward })
    return {
      rows,
      page: this.#isBackward ? this.#backward(rows, more, cursorAt) : this.#forward(rows, more, cursorAt),
      connection: this.#connection(rows, more, cursorAt),
      cursorOf: row => cursorAt(row)
    }
  }

  #forward(rows: readonly Row[], { hasMore, hasMoreBefore }: More, cursorAt: CursorAt): Page {
    const page = { nextCursor: this.#further(rows.at(-1), hasMore, cursorAt), hasMore, limit: this.limit }
    if (hasMoreBefore === undefined) return page
    return { ...page, previousCursor: hasMoreBefore && rows.length > 0 ? cursorAt(rows[0]!, true) : null }
  }

  #backward(rows: readonly Row[], { hasMore }: More, cursorAt: CursorAt): Page {
    const nextCursor = this.position !== null && rows.length > 0 ? cursorAt(rows.at(-1)!) : null
    const previousCursor = this.#further(rows[0], hasMore, cursorAt)
    return { nextCursor, previousCursor, hasMore: nextCursor !== null, limit: this.limit }
  }

  /** The cursor that goes on beyond a row, in the direction of the page. */
  #further(row: Row | undefined, hasMore: boolean, cursorAt: CursorAt): string | null {
    // A page of no rows leads nowhere: its cursor would lead a client that follows cursors in a circle.
    return hasMore && this.limit > 0 ? cursorAt(row ?? this.position, this.#isBackward) : null
  }

  #connection(
    rows: readonly Row[],
    { hasMore, hasMoreBefore = this.position !== null }: More,
    cursorAt: CursorAt
  ): ConnectionPage {
    return {
      hasNextPage: this.#isBackward ? hasMoreBefore : hasMore,
      hasPreviousPage: this.#isBackward ? hasMore : hasMoreBefore,
      startCursor: rows.length > 0 ? cursorAt(rows[0]!) : null,
      endCursor: rows.length > 0 ? cursorAt(rows.at(-1)!) : null
    }
  }

  #withinBytes<R>(rows: readonly R[], bytesOf: (row: R) => number): readonly R[] {
    let bytes = 0
    for (let i = 0; i < rows.length; i++) {
      bytes += bytesOf(rows[i]!)
      if (bytes > this.#settings.maxPageBytes && i > 0) return rows.slice(0, i)
    }
    return rows
  }
}
