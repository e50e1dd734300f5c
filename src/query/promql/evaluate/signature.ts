import { groupedBy } from '../../../domain/grouped-by.js'
import { type LabelSet, NAME } from '../labels.js'
import type { VectorMatching } from '../syntax/ast.js'
import type { GridSeries } from './values.js'

/** What two sides of an operation must have in common. */
export function signatureOf(labels: LabelSet, { isOn, labels: names }: VectorMatching): LabelSet {
  return isOn ? labels.only(names) : labels.without([...names, NAME])
}

/** Series by the key of their signature, in their order. */
export function bySignature(series: readonly GridSeries[], matching: VectorMatching): Map<string, GridSeries[]> {
  return groupedBy(series, ({ labels }) => signatureOf(labels, matching).key)
}
