import { expect, it } from '@jest/globals'
import type { IngestId, NamespaceId } from '../../../src/domain/ids.js'
import type { IndexGeneration } from '../../../src/ports/index-catalog.js'
import { encodeBatch } from '../../../src/stores/elasticsearch/write/encode-batch.js'

const NS = 'nsencodebatch' as NamespaceId
const GENERATION: IndexGeneration = {
  ...{ owner: NS, kind: 'logs', number: 1, index: 'logs-alidade.nsencodebatch-000001', fromMs: 0 },
  ...{ search: 'off', createdAtMs: 0, madeAtMs: null, lostAtMs: null }
}
const COUNT = 20

it.each([
  ['that fill a piece alone without being too large for one', 150_000],
  ['that are too large for a piece', 200_000]
])('yields to the event loop between documents %s', async (_what, chars) => {
  const document = JSON.stringify('x'.repeat(chars))
  let scheduler = 0
  const count = (): void => {
    scheduler++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const items = Array.from({ length: COUNT }, (_, index) => ({ index }))
  const batch = { ingestId: '01JD0000000000000000000000' as IngestId, items }
  const pieces = await encodeBatch(NS, batch, GENERATION, () => document)
  clearImmediate(timer)
  expect(pieces.map(piece => piece.count)).toEqual(items.map(() => 1))
  for (const { bytes } of pieces) expect(bytes.toString().endsWith(`\n${document}\n`)).toBe(true)
  expect(scheduler).toBeGreaterThanOrEqual(COUNT - 2)
})
