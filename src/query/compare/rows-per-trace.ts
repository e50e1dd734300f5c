import { type Compared, type Difference, significantDifferences } from './differences.js'

/** Differences whose rows are looked at, largest effect first. */
export const MAX_TRACED = 60
/** Searches at a time. */
const AT_ONCE = 4

/** Rows of the trace of an average row; rows without a trace are alone. */
export function rowsPerTrace(traceIds: readonly (string | null)[]): number {
  const sizes = new Map<string, number>()
  for (const id of traceIds) if (id !== null) sizes.set(id, (sizes.get(id) ?? 0) + 1)
  const alone = traceIds.filter(id => id === null).length
  const squares = [...sizes.values()].reduce((sum, size) => sum + size ** 2, alone)
  return traceIds.length === 0 ? 1 : squares / traceIds.length
}

function keyOf({ kind, name, value }: Compared): string {
  return JSON.stringify([kind, name, value])
}

/**
 * Tests twice: first as if all rows were independent, then the differences found with the number of rows of a trace among their
 * rows, which `read` looks up. A request that leaves five rows counts once.
 */
export async function testedByTrace(
  compared: readonly Compared[],
  read: (difference: Difference) => Promise<number>
): Promise<ReturnType<typeof significantDifferences>> {
  const first = significantDifferences(compared)
  const ofRows = first.differences.filter(({ kind }) => kind !== 'error_group' && kind !== 'metric').slice(0, MAX_TRACED)
  const perTrace = new Map<string, number>()
  for (let i = 0; i < ofRows.length; i += AT_ONCE) {
    const part = ofRows.slice(i, i + AT_ONCE)
    const found = await Promise.all(part.map(read))
    for (const [at, difference] of part.entries()) perTrace.set(keyOf(difference), found[at]!)
  }
  return significantDifferences(compared.map(one => ({ ...one, rowsPerTrace: perTrace.get(keyOf(one)) ?? 1 })))
}
