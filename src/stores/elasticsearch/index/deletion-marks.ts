import type { NamespaceId } from '../../../domain/ids.js'
import { firstUlidText } from '../../../domain/ulid.js'
import type { Clock } from '../../../ports/clock.js'
import type { DocumentKind } from '../document/field-names.js'

/** One deletion: records from before `timeNs` are gone, as far as they had come by then. */
export interface DeletionMark {
  /** Event time, Unix nanoseconds. */
  readonly timeNs: bigint
  /** Records whose id is at or above this text came after the deletion: it does not concern them. */
  readonly sinceId: string
}

/** Marks of one namespace that are kept: each was of an earlier time than the one before it, which retention never asks. */
const MAX_MARKS = 8

/** What was deleted since the start: reads leave it out while it is being removed. */
export class DeletionMarks {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #marks = new Map<string, readonly DeletionMark[]>()

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  of(ns: NamespaceId, kind: DocumentKind): readonly DeletionMark[] {
    return this.#marks.get(`${kind}/${ns}`) ?? []
  }

  /** Notes a deletion of what is there by now. */
  raise(ns: NamespaceId, kind: DocumentKind, timeNs: bigint): void {
    const mark = { timeNs, sinceId: firstUlidText(this.#clock.nowMs() + 1) }
    const wider = this.of(ns, kind).filter(earlier => earlier.timeNs > timeNs)
    this.#marks.set(`${kind}/${ns}`, [...wider, mark].slice(-MAX_MARKS))
  }
}
