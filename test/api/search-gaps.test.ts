import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { postGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'

let service: RunningService
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService()
  session = await service.login()
  await send('stream-whole', [{ seq: 1, from: 0, lines: 2 }], 'web-1')
  await send(
    'stream-skips',
    [
      { seq: 1, from: 0, lines: 2 },
      { seq: 3, from: 40, lines: 2 }
    ],
    'web-2'
  )
  const gap = { from: 20, to: 20, lines: null, reason: 'truncated' }
  await send(
    'stream-cut',
    [
      { seq: 1, from: 0, lines: 2 },
      { seq: 2, from: 20, lines: 0, gap }
    ],
    'web-3',
    null
  )
  await service.settle()
})
afterAll(() => service.close())

interface Batch {
  readonly seq: number
  readonly from: number
  readonly lines: number
  readonly gap?: object
}

const pathOf = (id: string): string => `/var/log/${id}.log`

/** Sends batches of a stream, whose lines have ten bytes each. */
async function send(id: string, batches: readonly Batch[], host: string, name: string | null = 'shop'): Promise<void> {
  for (const { seq, from, lines, gap } of batches) {
    const place = { seq, from, to: from + lines * 10, first_line: from / 10 + 1, lines, ...(gap && { gap }) }
    const json = {
      stream: { id, path: pathOf(id), kind: 'file', sealed_at: new Date().toISOString(), ...place },
      defaults: { host, ...(name !== null && { service: name }), tags: { 'log.file.path': pathOf(id) } },
      logs: Array.from({ length: lines }, (_, i) => ({ message: `line ${i} of ${id}` }))
    }
    const headers = { 'x-api-key': service.first.ingestKey }
    expect((await service.ingest('/api/v1/logs/batch', { method: 'POST', json, headers })).status).toBe(200)
  }
}

interface Found {
  readonly complete: boolean
  readonly warnings: readonly string[]
}

async function search(body: object, path = '/logs/query'): Promise<Found> {
  const response = await service.api(`/api/v1${path}`, { method: 'POST', json: body, headers: session })
  expect(response.status).toBe(200)
  const { complete, warnings } = response.json as unknown as Found
  return { complete, warnings }
}

const SKIPPED = 'of /var/log/stream-skips.log on web-2, lines are missing: 2 lines (skipped)'
const CUT = 'of /var/log/stream-cut.log on web-3, lines are missing: an unknown number of lines in 1 place (truncated)'

describe('a search of logs', () => {
  it.each([
    ['over a host', { host: 'web-2' }, [SKIPPED]],
    ['over hosts', { host: ['web-2', 'web-3'] }, [CUT, SKIPPED]],
    ['over a path', { filters: [{ field: 'tags.log.file.path', op: 'eq', value: pathOf('stream-cut') }] }, [CUT]],
    ['over a stream', { query: 'tags.log.stream.id:stream-skips' }, [SKIPPED]],
    ['over a service', { service: 'shop' }, [SKIPPED]],
    ['over a service of a host whose file has none', { service: 'shop', host: 'web-3' }, [CUT]],
    ['in the search language', { query: 'host:web-2 line' }, [SKIPPED]],
    ['over a window in which they were written', { host: 'web-2', start: 'now-5m', end: 'now' }, [SKIPPED]]
  ])('%s has a warning for lines that are missing', async (_, body, expected) => {
    const { complete, warnings } = await search(body)
    expect([complete, warnings.filter(warning => warning.includes('missing'))]).toEqual([false, expected])
  })

  it.each([
    ['over a host without gaps', { host: 'web-1' }],
    ['over all hosts', {}],
    ['over other hosts', { filters: [{ field: 'host', op: 'ne', value: 'web-1' }] }],
    ['over another service', { service: 'bank', host: 'web-2' }],
    ['before they were written', { host: 'web-2', start: 'now-10m', end: 'now-9m' }]
  ])('%s has none', async (_, body) => {
    const { complete, warnings } = await search(body)
    expect([complete, warnings.filter(warning => warning.includes('missing'))]).toEqual([true, []])
  })

  it('has it in facets and in the last line of a stream', async () => {
    expect(await search({ host: 'web-2', fields: ['service'] }, '/logs/facets')).toEqual({ complete: false, warnings: [SKIPPED] })
    const headers = { ...session, accept: 'application/x-ndjson' }
    const { text } = await service.api('/api/v1/logs/query', { method: 'POST', json: { host: 'web-2' }, headers })
    expect(JSON.parse(text.trim().split('\n').at(-1)!)).toMatchObject({ complete: false, count: 4, warnings: [SKIPPED] })
  })

  it('lists the gaps in GraphQL, whose unknown sizes are null', async () => {
    const query = `query Gaps($hosts: [String!], $range: TimeRange!) { logs(filter: { hosts: $hosts }, range: $range) {
      gaps { streamId from to lines reason merged } stats { complete cuts { kind detail window { from to } } } } }`
    const gapsOf = async (host: string): Promise<unknown> =>
      (await postGraphql(service.url, { query, variables: { hosts: [host], range: { from: 'now-1h', to: 'now' } } }, session))
        .data
    expect(await gapsOf('web-3')).toMatchObject({
      logs: {
        gaps: [{ streamId: 'stream-cut', from: 20, to: 20, lines: null, reason: 'TRUNCATED', merged: 1 }],
        stats: { complete: false, cuts: [{ kind: 'GAP', detail: CUT }] }
      }
    })
    expect(await gapsOf('web-1')).toMatchObject({ logs: { gaps: [], stats: { complete: true, cuts: [] } } })
  })

  it('names three streams and counts the others', async () => {
    for (const n of [1, 2, 3, 4, 5])
      await send(
        `stream-many-${n}`,
        [
          { seq: 1, from: 0, lines: 1 },
          { seq: 3, from: 20, lines: 1 }
        ],
        'web-4'
      )
    await service.settle()
    const { warnings } = await search({ host: 'web-4' })
    expect(warnings).toHaveLength(4)
    expect(warnings[3]).toBe('of 2 more log streams, lines are missing: 2 lines (skipped)')
  })
})
