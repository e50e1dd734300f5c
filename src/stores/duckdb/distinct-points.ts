/**
 * Rows of points, as SQL: the latest of several for one series and time counts. Not by `row_number() = 1`: DuckDB makes
 * `arg_max` of that, which changes the bits of the NaN that marks the end of a series.
 */
export function distinctPoints(query: string): string {
  return `SELECT * FROM (${query}) QUALIFY lag(1) OVER (PARTITION BY series, ts ORDER BY seq DESC) IS NULL`
}
