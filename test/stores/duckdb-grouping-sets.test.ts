import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { groupingSets, inSets, MAX_SETS } from '../../src/stores/duckdb/read/grouping-sets.js'

let connection: DuckDBConnection

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => connection.closeSync())

it.each([1, 2, MAX_SETS])('groups %i columns apart', async count => {
  const names = Array.from({ length: count }, (_, i) => `v${i}`)
  const { pick, groupBy } = groupingSets(names)
  // Column i counts up to i: one value of the first column, two of the second.
  const columns = names.map((name, i) => `range % ${i + 1} AS ${name}`)
  const sql = `SELECT facet, count(*)::INTEGER AS different, sum(n)::INTEGER AS rows
    FROM (SELECT ${pick(String)} AS facet, ${pick(i => names[i]!)} AS value, count(*) AS n
      FROM (SELECT ${columns.join(', ')} FROM range(100)) ${groupBy}) GROUP BY facet ORDER BY facet`
  const found = (await connection.runAndReadAll(sql)).getRowObjectsJson()
  expect(found).toEqual(names.map((_, i) => ({ facet: i, different: i + 1, rows: 100 })))
})

it('divides columns into statements', () => {
  const numbers = Array.from({ length: 2 * MAX_SETS + 1 }, (_, i) => i)
  const parts = inSets(numbers)
  expect(parts.map(part => part.length)).toEqual([MAX_SETS, MAX_SETS, 1])
  expect(parts.flat()).toEqual(numbers)
  expect(inSets([])).toEqual([])
})
