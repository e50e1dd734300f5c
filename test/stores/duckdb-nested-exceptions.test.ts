import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { MATCH_ALL } from '../../src/domain/filter.js'
import type { Span } from '../../src/domain/span.js'
import { errorsOf } from '../../src/ingest/span-errors.js'
import type { Stores } from '../../src/ports/stores.js'
import { BASE_NS, EVERY_TIME, NEVER, newIngestId, newNamespace } from '../contract/store-under-test.js'
import { toSpan } from '../contract/trace-fixtures.js'
import { openReaderStores } from '../support/reader-stores.js'

const CARD = {
  'exception.type': 'CardError',
  'exception.message': 'card declined',
  'exception.stacktrace': 'at pay (pay.js:1:2)'
}

function span(id: number, parent?: number): Span {
  const events = [{ name: 'exception', timestampNs: BASE_NS + 5n, attributes: CARD }]
  return toSpan({ service: 'pay', took: 100, events, trace: 1, id, ...(parent && { parent }) }, 0)
}

describe('an exception of nested spans that arrive in several requests', () => {
  let stores: Stores

  beforeAll(async () => {
    stores = await openReaderStores('mixed')
  })
  afterAll(() => stores.close())

  /** Counts of the groups after the requests. */
  async function countsAfter(requests: readonly (readonly Span[])[]): Promise<readonly number[]> {
    const ns = newNamespace()
    for (const spans of requests) await stores.events.appendErrors(ns, { ingestId: newIngestId(), items: errorsOf(spans) })
    const request = { range: EVERY_TIME, filter: MATCH_ALL, limit: 10 }
    return (await stores.events.errorGroups(ns, request, NEVER)).groups.map(({ count }) => count)
  }

  it('counts once, in any order of the requests', async () => {
    expect(await countsAfter([[span(3, 2)], [span(2, 1)], [span(1)]])).toEqual([1])
    expect(await countsAfter([[span(1)], [span(3, 2)], [span(2, 1)]])).toEqual([1])
    expect(await countsAfter([[span(3, 2), span(2, 1)], [span(1)]])).toEqual([1])
    expect(await countsAfter([[span(1), span(2, 1)], [span(3, 2)]])).toEqual([1])
  })

  it('counts retries in siblings each', async () => {
    expect(await countsAfter([[span(2, 1)], [span(3, 1)], [span(1)]])).toEqual([2])
  })
})
