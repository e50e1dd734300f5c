import type { Binary } from '../syntax/ast.js'
import { mergeSeries } from './merge-series.js'
import { bySignature, signatureOf } from './signature.js'
import { anyPresent, type GridSeries } from './values.js'

function masked(series: GridSeries, mask: Uint8Array | undefined, requested: 0 | 1): GridSeries {
  const { labels, values, present, histograms } = series
  return { labels, values, histograms, present: present.map((has, i) => (has === 1 && (mask?.[i] ?? 0) === requested ? 1 : 0)) }
}

/** `and`, `or`, `unless`: which elements stay is decided step by step, by what the other side has there. */
export function evaluateSet(
  { op, matching }: Binary,
  left: readonly GridSeries[],
  right: readonly GridSeries[]
): readonly GridSeries[] {
  const [kept, other] = op === 'or' ? [right, left] : [left, right]
  const masks = new Map<string, Uint8Array>()
  for (const [key, group] of bySignature(other, matching)) masks.set(key, anyPresent(group, group[0]!.present.length))
  const requested = op === 'and' ? 1 : 0
  const results = kept.map(series => masked(series, masks.get(signatureOf(series.labels, matching).key), requested))
  return op === 'or' ? mergeSeries([...left, ...results]) : results
}
