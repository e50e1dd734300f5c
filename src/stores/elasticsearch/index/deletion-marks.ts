import type { NamespaceId } from '../../../domain/ids.js'
import type { DocumentKind } from '../document/field-names.js'

/** Times before which the records of a namespace are deleted: reads leave them out while they are being removed. */
export class DeletionMarks {
  readonly #marks = new Map<string, bigint>()

  /** Unix nanoseconds; 0 when nothing was deleted since the start. */
  of(ns: NamespaceId, kind: DocumentKind): bigint {
    return this.#marks.get(`${kind}/${ns}`) ?? 0n
  }

  /** Never moves back. */
  raise(ns: NamespaceId, kind: DocumentKind, timeNs: bigint): void {
    if (timeNs > this.of(ns, kind)) this.#marks.set(`${kind}/${ns}`, timeNs)
  }
}
