import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { NamespaceId } from '../../src/domain/ids.js'
import { ALL_TIME } from '../../src/domain/time-range.js'
import { inSnapshot } from '../../src/stores/duckdb/read/reading.js'
import { summarizeInEngine, summarizeTraces } from '../../src/stores/duckdb/read/trace-summaries.js'
import { NEVER, newIngestId } from '../contract/fresh-ids.js'
import { toSpan, traceIdOf } from '../contract/trace-fixtures.js'
import { spanRows } from '../support/reader-rows.js'
import { Tiers } from '../support/tiers.js'

const NS = 'nssummaries' as NamespaceId
const id = fc.integer({ min: 1, max: 6 })
const sketch = fc.record({
  trace: fc.integer({ min: 1, max: 30 }),
  id,
  parent: fc.option(id, { nil: undefined, freq: 2 }),
  at: fc.integer({ min: 0, max: 10 }),
  took: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(2n ** 63n - 1n)),
  service: fc.constantFrom('web', 'db', '\u{1f600}', '\uffff', null),
  status: fc.constantFrom('unset' as const, 'error' as const)
})

it('counts a trace the same here and in the engine', async () => {
  const tiers = await Tiers.open('mixed')
  try {
    for (const sketches of fc.sample(fc.array(sketch, { minLength: 10, maxLength: 30 }), { numRuns: 9, seed: 3 })) {
      const rows = await spanRows(sketches.map(({ parent, ...rest }, i) => toSpan({ ...rest, ...(parent && { parent }) }, i)))
      const ingestId = newIngestId()
      await tiers.append(
        'spans',
        NS,
        rows.map(row => ({ ...row, ingest_id: ingestId }))
      )
    }
    const ids = Array.from({ length: 31 }, (_, i) => traceIdOf(i))
    const options = { kind: 'spans', ns: NS, range: ALL_TIME, heavy: false, signal: NEVER } as const
    const [here, there] = await inSnapshot(tiers, options, async scope => [
      await summarizeTraces(scope, ids),
      await summarizeInEngine(scope, ids)
    ])
    expect(here.size).toBeGreaterThan(20)
    const sorted = (found: typeof here) => [...found].sort(([a], [b]) => (a < b ? -1 : 1))
    expect(sorted(here)).toEqual(sorted(there))
  } finally {
    await tiers.close()
  }
})
