import { describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../../src/domain/errors.js'
import type { NamespaceId } from '../../../src/domain/ids.js'
import type { SearchRequest } from '../../../src/domain/search.js'
import { type LogConditions, logFilter } from '../../../src/query/conditions.js'
import { type UnfoundValues, spellingHints } from '../../../src/query/spelling-hints.js'

const NS = 'own' as NamespaceId
const RANGE = { startNs: 0n, endNs: 3_600_000_000_000n }
const NEVER = new AbortController().signal
const VALUES: Readonly<Record<string, readonly string[]>> = { service: ['payments', 'cart'], region: ['eu-west-1'] }

interface RequestCase {
  readonly ns: NamespaceId
  readonly request: SearchRequest
}

function store(requested: RequestCase[] = []): UnfoundValues['search'] {
  return async (ns, request) => {
    requested.push({ ns, request })
    const facets = request.facets!.map(({ field }) => ({
      field,
      distinct: { value: 0, relation: 'eq' as const },
      values: (VALUES[field.name] ?? []).map(value => ({ value, count: 1 })),
      missing: 0,
      other: 0
    }))
    return { facets, complete: true, warnings: [] }
  }
}

function hints(conditions: LogConditions, search = store()): Promise<readonly string[]> {
  return spellingHints({ ns: NS, filter: logFilter(conditions), range: RANGE, search }, NEVER)
}

describe('values that nothing has', () => {
  it.each<[string, LogConditions]>([
    ['the search language', { query: 'service:Payments' }],
    ['a parameter', { service: 'Payments' }],
    ['a filter', { filters: [{ field: 'service', op: 'eq', value: 'Payments' }] }]
  ])('are reported with the stored upper and lower case, by %s', async (_name, conditions) => {
    expect(await hints(conditions)).toEqual([
      'no service is "Payments" in this window: values are case-sensitive, did you mean "payments"?'
    ])
  })

  it('are reported with the stored spelling, of free fields too', async () => {
    expect(await hints({ query: 'service:paymets region:"eu-west1"' })).toEqual([
      'no service is "paymets" in this window: did you mean "payments"?',
      'no region is "eu-west1" in this window: did you mean "eu-west-1"?'
    ])
  })

  it('are not reported for a stored value, or one that differs from every stored value', async () => {
    expect(await hints({ query: 'service:cart -service:warehouse' })).toEqual([])
  })

  it('are looked up once, in the own namespace and the same window, for three fields at most', async () => {
    const requested: RequestCase[] = []
    await hints({ query: 'service:a level:b host:c environment:d message:e' }, store(requested))
    expect(requested).toMatchObject([{ ns: NS, request: { range: RANGE } }])
    expect(requested[0]!.request.facets!.map(({ limit }) => limit)).toEqual([200, 200, 200])
    expect(requested[0]!.request.rows).toBeUndefined()
  })

  it('cost nothing where no exact value was requested, and fail no response', async () => {
    const requested: RequestCase[] = []
    expect(await hints({ query: 'refused trace_id:4bf92f3577b34da6a3ce929d0e0e4736' }, store(requested))).toEqual([])
    expect(requested).toEqual([])
    const down: UnfoundValues['search'] = () => Promise.reject(new GatewayError('query_timeout', 'too long'))
    expect(await hints({ query: 'service:Payments' }, down)).toEqual([])
  })

  it('do not delay a response when the store is slow, and end when the caller has left', async () => {
    const slow: UnfoundValues['search'] = (_ns, _request, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    const search = { ns: NS, filter: logFilter({ query: 'service:Payments' }), range: RANGE, search: slow }
    expect(await spellingHints(search, NEVER, 1)).toEqual([])
    const caller = new AbortController()
    const hinted = spellingHints(search, caller.signal)
    caller.abort(new Error('gone'))
    await expect(hinted).rejects.toThrow('gone')
  })
})
