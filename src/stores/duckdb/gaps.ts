import type { NamespaceId } from '../../domain/ids.js'
import { formatNs } from '../../domain/timestamp.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Cut } from '../../domain/warning.js'
import type { TableKind } from './tables.js'

/** Rows that results lack: lost for good, or in a file that is unreadable now. */
export interface Gap {
  /** Null where rows of any kind may be lacking. */
  readonly kind: TableKind | null
  /** Null where rows of any namespace may be lacking. */
  readonly ns: NamespaceId | null
  readonly minNs: bigint
  /** Inclusive. */
  readonly maxNs: bigint
  /** Null if the number is unknown. */
  readonly rows: number | null
  /** For the operator: names the file. */
  readonly reason: string
  /** Whether the gap may still be closed: the file is listed and unreadable. */
  readonly isOpen: boolean
}

const NAMES: Readonly<Record<TableKind, string>> = {
  logs: 'logs',
  points: 'metric points',
  histograms: 'native histograms',
  rum: 'page timings',
  errors: 'errors',
  spans: 'spans'
}

/** Gaps of these kinds of tables in a range: at most one of unreadable and one of lost rows for each kind. */
export function gapSentences(
  gaps: readonly Gap[],
  kinds: readonly TableKind[],
  ns: NamespaceId,
  { startNs, endNs }: TimeRange
): readonly Cut[] {
  if (gaps.length === 0) return []
  const near = gaps.filter(gap => (gap.ns === null || gap.ns === ns) && gap.maxNs >= startNs && gap.minNs < endNs)
  return kinds.flatMap(kind => {
    // Histograms are next to their points: gaps of both are stated once.
    const own = near.filter(gap => gap.kind === kind || (gap.kind === null && kind !== 'histograms'))
    return [
      ...cutOf(
        kind,
        own.filter(({ isOpen }) => isOpen)
      ),
      ...cutOf(
        kind,
        own.filter(({ isOpen }) => !isOpen)
      )
    ]
  })
}

function cutOf(kind: TableKind, gaps: readonly Gap[]): readonly Cut[] {
  const [first] = gaps
  if (!first) return []
  const minNs = gaps.reduce((least, gap) => (gap.minNs < least ? gap.minNs : least), first.minNs)
  const maxNs = gaps.reduce((most, gap) => (gap.maxNs > most ? gap.maxNs : most), first.maxNs)
  const between = `between ${formatNs(minNs)} and ${formatNs(maxNs)}`
  const why = first.isOpen ? 'cannot be read, because their file is damaged or missing' : 'were lost from the disk'
  const detail = gaps.some(({ rows }) => rows === null)
    ? `${NAMES[kind]} ${between} may be missing: some ${why}`
    : `${gaps.reduce((sum, { rows }) => sum + rows!, 0)} ${NAMES[kind]} ${between} are missing: they ${why}`
  const remedy = 'Restore the damaged files from a backup; the operator finds them in the health of the service.'
  return [{ kind: 'store', detail, remedy, range: { startNs: minNs, endNs: maxNs } }]
}
