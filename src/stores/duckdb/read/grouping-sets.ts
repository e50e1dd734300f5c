/** Columns of one statement: `grouping_id` has a bit for each, in 64 bits; JavaScript knows 53 of them. */
export const MAX_SETS = 48

/** SQL of rows that are grouped by each of several columns, in one pass. */
export interface GroupingSets {
  /** Of a group, the SQL that `what` makes for the number of its column. */
  readonly pick: (what: (i: number) => string) => string
  /** The clause `GROUP BY`. */
  readonly groupBy: string
}

/** Groups by each of the columns apart. One pass over the rows costs two thirds of one for each column. */
export function groupingSets(columns: readonly string[]): GroupingSets {
  // grouping_id has one bit per column, set where the row is not grouped by it; the first column's bit is the highest.
  const bits = (i: number) => 2 ** columns.length - 1 - 2 ** (columns.length - 1 - i)
  return {
    pick: what =>
      `CASE grouping_id(${columns.join(', ')}) ${columns.map((_, i) => `WHEN ${bits(i)} THEN ${what(i)}`).join(' ')} END`,
    groupBy: `GROUP BY GROUPING SETS (${columns.map(name => `(${name})`).join(', ')})`
  }
}

/** `items` in parts of at most `MAX_SETS`. */
export function inSets<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / MAX_SETS) }, (_, i) => items.slice(i * MAX_SETS, (i + 1) * MAX_SETS))
}
