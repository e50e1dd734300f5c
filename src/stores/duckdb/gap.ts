import type { NamespaceId } from '../../domain/ids.js'
import type { TableKind } from './tables.js'

/** Rows that answers lack: lost for good, or in a file that cannot be read now. */
export interface Gap {
  /** Null where rows of any kind may be lacking. */
  readonly kind: TableKind | null
  /** Null where rows of any namespace may be lacking. */
  readonly ns: NamespaceId | null
  readonly minNs: bigint
  /** Inclusive. */
  readonly maxNs: bigint
  /** Null where nobody knows how many. */
  readonly rows: number | null
  /** For the operator: names the file. */
  readonly reason: string
  /** Whether somebody may still mend it: the file is listed and does not read. */
  readonly isOpen: boolean
}
