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
  readonly direction?: 'forward' | 'backward' | undefined
}

type Row = CursorPosition

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
    this.#requested = requested
    this.#scope = scope
    this.#codec = deps.codec
    this.#settings = deps.settings
  }

  /** The rows to request from a store; undefined if the caller requested none. */
  request(): RowsRequest | undefined {
    if (this.#requested.rows === false) return undefined
    const order = this.#isBackward() ? (this.order === 'asc' ? 'desc' : 'asc') : this.order
    const rows = { limit: this.limit, order, maxBytes: this.#settings.maxPageBytes }
    return this.position ? { ...rows, after: this.position as Position } : rows
  }

  /** The page out of a store's rows. `bytesOf` is about the size of a row as JSON. */
  paged<R extends Row>(
    found: { readonly rows?: readonly R[] | undefined; readonly hasMore?: boolean | undefined },
    window: ResolvedWindow,
    bytesOf: (row: R) => number
  ): PageOf<R> {
    const { rows: all = [], hasMore: storeHasMore = false } = found
    const cut = this.#withinBytes(all, bytesOf)
    const hasMore = storeHasMore || cut.length < all.length
    const rows = this.#isBackward() ? cut.toReversed() : cut
    const cursorAt = (position: CursorPosition | null) => this.#codec.encode(this.#scope, { window, order: this.order, position })
    const cursorOf = (row: R) => cursorAt({ timestampNs: row.timestampNs, id: row.id })
    const last = cut.at(-1)
    // A page of no rows leads nowhere: its cursor would lead a client that follows cursors in a circle.
    const nextCursor = hasMore && this.limit > 0 ? (last ? cursorOf(last) : cursorAt(this.position)) : null
    return {
      rows,
      page: { nextCursor, hasMore, limit: this.limit },
      connection: this.#connection(rows, hasMore, cursorOf),
      cursorOf
    }
  }

  #connection<R extends Row>(rows: readonly R[], hasMore: boolean, cursorOf: (row: R) => string): ConnectionPage {
    const hasOther = this.position !== null
    return {
      hasNextPage: this.#isBackward() ? hasOther : hasMore,
      hasPreviousPage: this.#isBackward() ? hasMore : hasOther,
      startCursor: rows.length > 0 ? cursorOf(rows[0]!) : null,
      endCursor: rows.length > 0 ? cursorOf(rows.at(-1)!) : null
    }
  }

  #isBackward(): boolean {
    return this.#requested.direction === 'backward'
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
