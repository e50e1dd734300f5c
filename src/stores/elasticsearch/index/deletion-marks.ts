import type { NamespaceId } from '../../../domain/ids.js'
import { firstUlidAt } from '../../../domain/ulid.js'
import type { Clock } from '../../../ports/clock.js'
import type { DocumentKind } from '../document/field-names.js'

/** One deletion: records from before `timeNs` are gone, as far as they had come by then. */
export interface DeletionMark {
  /** Event time, Unix nanoseconds. */
  readonly timeNs: bigint
  /** Records whose id is at or above this text came after the deletion: it does not concern them. */
  readonly sinceId: string
  /** The only indices in which something of it is left; null while the removal runs: in any. */
  readonly indices: readonly string[] | null
}

/**
 * What was deleted and not removed yet: reads leave it out. A mark lasts no longer than it must, since ids of OTLP are of the
 * time of their bodies (docs/adr/0019): it hides some that came after it.
 */
export class DeletionMarks {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #marks = new Map<string, DeletionMark>()

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  of(ns: NamespaceId, kind: DocumentKind): DeletionMark | null {
    return this.#marks.get(`${kind}/${ns}`) ?? null
  }

  /**
   * Notes a deletion of what is there by now. It takes the place of the one before: when that was of a later time, retention
   * has become longer since, and what it hid and did not remove is to be kept.
   */
  raise(ns: NamespaceId, kind: DocumentKind, timeNs: bigint): DeletionMark {
    const mark = { timeNs, sinceId: firstUlidAt(this.#clock.nowMs() + 1), indices: null }
    this.#marks.set(`${kind}/${ns}`, mark)
    return mark
  }

  /** Notes that what a mark hides was removed, and no read sees it, but for what is left in `indices`. */
  settle(ns: NamespaceId, kind: DocumentKind, mark: DeletionMark, indices: readonly string[]): void {
    const key = `${kind}/${ns}`
    if (this.#marks.get(key) !== mark) return
    if (indices.length === 0) this.#marks.delete(key)
    else this.#marks.set(key, { ...mark, indices })
  }
}
