/** Counts of one day and signal. */
export interface UsagePoint {
  readonly day: string
  readonly signal: string
  readonly items: number
  readonly bytes: number
  readonly rejected: number
}

/** Sums of a signal or of a day. */
export interface UsageRow {
  readonly key: string
  readonly items: number
  readonly bytes: number
  readonly rejected: number
}

function sumBy(points: readonly UsagePoint[], keyOf: (point: UsagePoint) => string): readonly UsageRow[] {
  const rows = new Map<string, UsageRow>()
  for (const point of points) {
    const key = keyOf(point)
    const row = rows.get(key) ?? { key, items: 0, bytes: 0, rejected: 0 }
    rows.set(key, {
      key,
      items: row.items + point.items,
      bytes: row.bytes + point.bytes,
      rejected: row.rejected + point.rejected
    })
  }
  return [...rows.values()]
}

/** Sums by signal, largest first. */
export function usageBySignal(points: readonly UsagePoint[]): readonly UsageRow[] {
  return sumBy(points, ({ signal }) => signal).toSorted((a, b) => b.bytes - a.bytes)
}

/** Sums by UTC day, `2026-11-23`, latest first. Days without arrivals are left out. */
export function usageByDay(points: readonly UsagePoint[]): readonly UsageRow[] {
  return sumBy(points, ({ day }) => day.slice(0, 10)).toSorted((a, b) => b.key.localeCompare(a.key))
}
