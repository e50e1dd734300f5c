import type { SeriesIdentity } from '../../metrics/label-matching.js'

/** The label with the most distinct values, of several the first in the alphabet; null when no series has labels. */
export function mostVaried(series: Iterable<SeriesIdentity>): { readonly label: string; readonly values: number } | null {
  const values = new Map<string, Set<string>>()
  for (const { labels } of series) {
    for (const { name, value } of labels) {
      const known = values.get(name)
      if (known) known.add(value)
      else values.set(name, new Set([value]))
    }
  }
  let worst: { label: string; values: number } | null = null
  for (const [label, { size }] of values) {
    if (!worst || size > worst.values || (size === worst.values && label < worst.label)) worst = { label, values: size }
  }
  return worst
}
