import type { NamespaceId } from '../../domain/ids.js'
import { formatNs } from '../../domain/timestamp.js'
import type { TimeRange } from '../../domain/time-range.js'
import type { Gap } from './gap.js'
import type { TableKind } from './tables.js'

const NAMES: Readonly<Record<TableKind, string>> = {
  logs: 'logs',
  points: 'metric points',
  histograms: 'native histograms',
  rum: 'page timings',
  errors: 'errors',
  spans: 'spans'
}

/** What answers from tables of these kinds lack in a range, at most a sentence of either sort for each kind. */
export function gapSentences(
  gaps: readonly Gap[],
  kinds: readonly TableKind[],
  ns: NamespaceId,
  { startNs, endNs }: TimeRange
): readonly string[] {
  if (gaps.length === 0) return []
  const near = gaps.filter(gap => (gap.ns === null || gap.ns === ns) && gap.maxNs >= startNs && gap.minNs < endNs)
  return kinds.flatMap(kind => {
    // Histograms lie beside their points: what may lack of either is said once.
    const own = near.filter(gap => gap.kind === kind || (gap.kind === null && kind !== 'histograms'))
    return [
      sentenceOf(
        kind,
        own.filter(({ isOpen }) => isOpen)
      ),
      sentenceOf(
        kind,
        own.filter(({ isOpen }) => !isOpen)
      )
    ].flat()
  })
}

function sentenceOf(kind: TableKind, gaps: readonly Gap[]): readonly string[] {
  const [first] = gaps
  if (!first) return []
  const minNs = gaps.reduce((least, gap) => (gap.minNs < least ? gap.minNs : least), first.minNs)
  const maxNs = gaps.reduce((most, gap) => (gap.maxNs > most ? gap.maxNs : most), first.maxNs)
  const between = `between ${formatNs(minNs)} and ${formatNs(maxNs)}`
  const why = first.isOpen ? 'cannot be read, because their file is damaged or missing' : 'were lost from the disk'
  if (gaps.some(({ rows }) => rows === null)) return [`${NAMES[kind]} ${between} may be missing: some ${why}`]
  return [`${gaps.reduce((sum, { rows }) => sum + rows!, 0)} ${NAMES[kind]} ${between} are missing: they ${why}`]
}
