import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { ORACLE_QUERIES, ORACLE_RANGE } from '../../../oracle/queries.js'
import { oracleWorld } from '../../../oracle/world.js'
import { PromqlBench } from '../../../support/promql.js'
import { isGatewayError } from '../../../../src/domain/errors.js'
import { formatValue } from '../../../../src/query/promql/format-value.js'
import { PromqlBadQuery, PromqlExecutionError } from '../../../../src/query/promql/promql-error.js'
import { timeOf } from '../../../../src/query/promql/evaluate/values.js'

// Responses of a real Prometheus 3 to the same queries over the same series (test/oracle/record.ts).

interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly values: readonly (readonly [number, string])[]
}
type Recorded = readonly Series[] | { readonly errorType: string; readonly error: string }

const FILE = new URL('../../../fixtures/promql-oracle.json', import.meta.url)
const RECORDED = new Map(JSON.parse(readFileSync(FILE, 'utf8')) as [string, Recorded][])
const STEPS = {
  startMs: ORACLE_RANGE.start * 1000,
  stepMs: ORACLE_RANGE.step * 1000,
  count: Math.floor((ORACLE_RANGE.end - ORACLE_RANGE.start) / ORACLE_RANGE.step) + 1
}
const RELATIVE = 1e-9

const bench = new PromqlBench(oracleWorld())

async function response(query: string): Promise<Recorded> {
  try {
    const { value } = await bench.run(query, STEPS)
    const at = (i: number, number: number) => [timeOf(STEPS, i) / 1000, formatValue(number)] as const
    if (value.type === 'scalar') return [{ metric: {}, values: Array.from(value.values, (number, i) => at(i, number)) }]
    if (value.type !== 'vector') throw new TypeError('a range query gives numbers only')
    return value.series.map(({ labels, values, present }) => ({
      metric: labels.toObject(),
      values: Array.from(values, (number, i) => at(i, number)).filter((_, i) => present[i] === 1)
    }))
  } catch (error) {
    // A regex is compiled by the store.
    if (isGatewayError(error, 'invalid_query')) return { errorType: 'bad_data', error: error.message }
    if (error instanceof PromqlBadQuery) return { errorType: 'bad_data', error: error.message }
    if (error instanceof PromqlExecutionError) return { errorType: 'execution', error: error.message }
    throw error
  }
}

function isAlmost(a: string, b: string): boolean {
  if (a === b) return true
  const [left, right] = [Number(a), Number(b)]
  return Math.abs(left - right) <= RELATIVE * Math.max(Math.abs(left), Math.abs(right))
}

/** The response with the recorded digits wherever they mean the same number. */
function asRecorded(given: Recorded, recorded: Recorded): unknown {
  if ('error' in given || 'error' in recorded) return 'error' in given ? { errorType: given.errorType } : given
  const key = ({ metric }: Series): string => JSON.stringify(Object.entries(metric).sort(([a], [b]) => (a < b ? -1 : 1)))
  const known = new Map(recorded.map(one => [key(one), one]))
  return Object.fromEntries(
    given.map(one => {
      const values = one.values.map(([s, value], i) => {
        const expected = known.get(key(one))?.values[i]
        return [s, expected?.[0] === s && isAlmost(value, expected[1]) ? expected[1] : value]
      })
      return [key(one), values]
    })
  )
}

describe('responses of Prometheus', () => {
  it('are recorded for every query', () => {
    expect([...RECORDED.keys()]).toEqual(ORACLE_QUERIES)
  })

  it.each(ORACLE_QUERIES)('%s', async query => {
    const recorded = RECORDED.get(query)!
    expect(asRecorded(await response(query), recorded)).toEqual(asRecorded(recorded, recorded))
  })
})
