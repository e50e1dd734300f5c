import { expect, it } from '@jest/globals'
import { LAYOUT } from '../../../src/stores/duckdb/table-layout.js'
import type { NamedSeries } from '../../../src/stores/duckdb/wire/calls.js'
import { unpackAppend } from '../../../src/stores/duckdb/wire/packed-append.js'
import { pointsAppend } from '../../../src/stores/duckdb/wire/points.js'
import { type Accepted, payloadInFull } from '../../../src/stores/duckdb/write/accepted.js'
import { JournalFile } from '../../../src/stores/duckdb/write/journal/journal-file.js'
import { SeriesRegistry } from '../../../src/stores/duckdb/write/series-registry.js'
import { UniqueNumbers } from '../../../src/stores/duckdb/write/unique-numbers.js'
import { nextIngestId, NS, packedRequest, testPoint } from '../../support/duckdb-fixture.js'

it('names all series of a request that is kept where the registry cannot be queried for them', () => {
  const registry = new SeriesRegistry(new UniqueNumbers(1n), 10)
  const batch = { ingestId: nextIngestId(), items: [testPoint(0), testPoint(1, { name: 'other' })] }
  const full = pointsAppend(NS, batch)
  const [known] = full.seriesList as readonly NamedSeries[]
  registry.stage(NS, [known!], registry.admit(NS, [known!]))
  registry.settle()
  registry.number()
  const id = registry.idOf(NS, known!)
  const request = pointsAppend(NS, batch, key => (key === known!.key ? { id, request: 0, position: 0 } : undefined))
  const rest = { refused: [], outcome: { accepted: 2, failures: [] }, bytes: 0, file: JournalFile.found('none', 0) }
  const accepted: Accepted = {
    ...rest,
    request,
    payload: packedRequest(request),
    pinned: registry.admit(NS, request.seriesList).pinned
  }
  expect(unpackAppend(accepted.payload, LAYOUT)).not.toEqual(full)
  expect(unpackAppend(payloadInFull(accepted, LAYOUT.format), LAYOUT)).toEqual(full)
})
