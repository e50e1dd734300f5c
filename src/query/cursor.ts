import type { Filter } from '../domain/filter.js'
import type { NamespaceId } from '../domain/ids.js'
import type { Order, Position } from '../domain/search.js'
import type { ResolvedWindow } from '../domain/time-range.js'

/** What a cursor belongs to: it is refused anywhere else. */
export interface CursorScope {
  readonly list: 'logs' | 'rum' | 'errors'
  readonly namespace: NamespaceId
  readonly filter: Filter
}

/** What a cursor remembers. `position` null is the very beginning. */
export interface CursorState {
  readonly window: ResolvedWindow
  readonly order: Order
  readonly position: Position | null
}

/** Turns places in a list into opaque signed texts and back. */
export class CursorCodec {
  readonly #secret: string

  /** @param secret the same over restarts, at least 32 characters */
  constructor(secret: string) {
    this.#secret = secret
  }

  encode(_scope: CursorScope, _state: CursorState): string {
    return this.#secret
  }

  /** Throws `invalid_field` for a text that is not a cursor of this scope. */
  decode(_scope: CursorScope, _text: string): CursorState {
    throw new Error('not yet')
  }
}
