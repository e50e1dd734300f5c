import type { VectorMatching } from '../syntax/ast.js'
import { signatureOf } from './signature.js'
import { anyPresent, emptySeries, type GridSeries } from './values.js'

// `fill`: replaces elements that one side of an operation has and the other has not.

/** The replacement on each side; null: no replacement. */
export interface Fills {
  readonly many: number | null
  readonly one: number | null
}

/** Series of both sides that match each other; one of the sides may be empty. */
export interface MatchGroup {
  readonly members: readonly GridSeries[]
  readonly partners: readonly GridSeries[]
}

/** As Prometheus 3.15: `fill_left` is for the side with many elements, even with `group_right`, where that is the right one. */
export function fillsOf({ fill }: VectorMatching): Fills {
  return { many: fill.left, one: fill.right }
}

/** The groups that have both sides, or one whose other side is filled in. */
export function pairedGroups(
  many: ReadonlyMap<string, readonly GridSeries[]>,
  one: ReadonlyMap<string, readonly GridSeries[]>,
  fills: Fills
): readonly MatchGroup[] {
  const groups: MatchGroup[] = []
  for (const [key, members] of many) {
    const partners = one.get(key) ?? []
    if (partners.length > 0 || fills.one !== null) groups.push({ members, partners })
  }
  if (fills.many === null) return groups
  for (const [key, partners] of one) if (!many.has(key)) groups.push({ members: [], partners })
  return groups
}

/** A group with series that have the filling wherever only the other side has a value. */
export function withFill({ members, partners }: MatchGroup, matching: VectorMatching, fills: Fills): MatchGroup {
  return {
    members: [...members, ...substitute(members, partners, matching, fills.many)],
    partners: [...partners, ...substitute(partners, members, matching, fills.one)]
  }
}

function substitute(
  own: readonly GridSeries[],
  others: readonly GridSeries[],
  matching: VectorMatching,
  value: number | null
): readonly GridSeries[] {
  const [first] = others
  if (value === null || first === undefined) return []
  const { length } = first.present
  const series = emptySeries(signatureOf(first.labels, matching), length)
  const [hasOwn, hasOthers] = [anyPresent(own, length), anyPresent(others, length)]
  for (let i = 0; i < length; i++) series.present[i] = hasOthers[i]! & (1 - hasOwn[i]!)
  series.values.fill(value)
  return series.present.includes(1) ? [series] : []
}
