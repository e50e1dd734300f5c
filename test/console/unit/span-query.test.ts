import { expect, it } from '@jest/globals'
import { spanQuery } from '../../../console/src/traces/span-query.js'

it('a filter of traces is a search for spans, and states which conditions it leaves out', () => {
  const filter = { query: 'a OR b', services: ['s', 't'], kinds: ['SERVER' as const], minDuration: '1s' }
  expect(spanQuery({ ...filter, scope: 'SPAN' })).toEqual({
    query: '((a OR b) service:(s OR t) kind:server) duration:>=1s',
    note: null
  })
  expect(spanQuery(filter)).toMatchObject({ note: expect.stringContaining('durations of traces') })
  expect(spanQuery({})).toEqual({ query: '', note: null })
})
