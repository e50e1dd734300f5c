import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { CheckedResponse } from '../support/api-fetch.js'
import { postGraphql } from '../support/graphql-client.js'
import { type RunningService, startService } from '../support/running-service.js'

let service: RunningService
let session: { readonly authorization: string }
beforeAll(async () => {
  service = await startService()
  session = await service.login()
  await send('stream-a', 1, [1, 2, 3])
  await send('stream-a', 2, [4, 5])
  await send('stream-b', 1, [1, 2], {}, 'web-2')
  await send('stream-b', 3, [5, 6], { end: 'rotated' }, 'web-2')
  await service.settle()
})
afterAll(() => service.close())

/** Batch `seq` of lines with these numbers, each of ten bytes. */
async function send(id: string, seq: number, numbers: readonly number[], stream: object = {}, host = 'web-1'): Promise<void> {
  const from = (numbers[0]! - 1) * 10
  const place = { seq, from, to: from + numbers.length * 10, first_line: numbers[0]!, lines: numbers.length }
  const about = { id, host_id: `id-${host}`, path: `/var/log/${id}.log`, kind: 'file', sealed_at: new Date().toISOString() }
  const json = {
    stream: { ...about, ...place, ...stream },
    defaults: { host, service: 'shop' },
    logs: numbers.map(number => ({ message: `line ${number}` }))
  }
  const response = await service.ingest('/api/v1/logs/batch', {
    method: 'POST',
    json,
    headers: { 'x-api-key': service.first.ingestKey }
  })
  expect(response.status).toBe(200)
}

const get = (path: string): Promise<CheckedResponse> => service.api(`/api/v1${path}`, { headers: session })

async function ids(query: string): Promise<readonly string[]> {
  const { json } = await get(`/streams?${query}`)
  return (json['streams'] as { id: string }[]).map(({ id }) => id)
}

describe('GET /api/v1/streams', () => {
  it('lists streams with their position and gaps', async () => {
    const { json } = await get('/streams')
    expect(json).toMatchObject({
      streams: [
        { id: 'stream-a', state: 'open', from: 0, to: 50, last_line: 5, lines: 5, stored: 5, complete: true, gaps: [] },
        {
          id: 'stream-b',
          state: 'ended',
          end: 'rotated',
          complete: false,
          gap_count: 1,
          gaps: [{ from: 20, to: 40, lines: 2, reason: 'skipped' }]
        }
      ],
      complete: true,
      page: { has_more: false }
    })
  })

  it('states how far the agent of the host is behind', async () => {
    const lag = async (): Promise<unknown> => {
      const { logStream } = await graphql('{ logStream(id: "stream-a") { lagBytes } }')
      const { json } = await get('/streams')
      const proof = await get('/streams/stream-a/proof')
      const listed = (json['streams'] as { lag_bytes: number | null }[]).map(({ lag_bytes }) => lag_bytes)
      return [listed, proof.json['stream'], logStream]
    }
    expect(await lag()).toMatchObject([[null, null], { lag_bytes: null }, { lagBytes: null }])
    const sources = ['a', 'b'].map(name => ({ path: `/var/log/stream-${name}.log`, state: 'reading', lag_bytes: 4_096 }))
    const json = { name: 'web-1', interval_s: 60, agent: { version: '1', sources } }
    const headers = { 'x-api-key': service.first.ingestKey }
    expect((await service.ingest('/api/v1/hosts/id-web-1', { method: 'PUT', json, headers })).status).toBe(200)
    expect(await lag()).toMatchObject([[4_096, null], { lag_bytes: 4_096 }, { lagBytes: 4_096 }])
  })

  it.each([
    ['host=web-1', ['stream-a']],
    ['host_id=id-web-2', ['stream-b']],
    ['path=/var/log/stream-a.log', ['stream-a']],
    ['service=shop', ['stream-a', 'stream-b']],
    ['service=none', []],
    ['state=open', ['stream-a']],
    ['state=ended', ['stream-b']],
    ['state=idle', []],
    ['state=stale', []],
    ['incomplete=true', ['stream-b']],
    ['incomplete=false', ['stream-a']],
    ['start=now-1h', ['stream-a', 'stream-b']],
    ['start=now-2h&end=now-1h', []]
  ])('%s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  it('is read page by page', async () => {
    expect((await get('/streams?limit=1')).json).toMatchObject({
      streams: [{ id: 'stream-a' }],
      page: { next_cursor: 'stream-a', has_more: true, limit: 1 },
      complete: true
    })
    expect((await get('/streams?limit=1&cursor=stream-a')).json).toMatchObject({
      streams: [{ id: 'stream-b' }],
      page: { next_cursor: null, has_more: false }
    })
    expect(await ids('cursor=stream-b')).toEqual([])
    expect((await get('/streams?limit=1001')).status).toBe(400)
  })
})

describe('GET /api/v1/streams/{id}/proof', () => {
  it('proves that a stream is whole, and counts its records again', async () => {
    const { json } = await get('/streams/stream-a/proof?recount=true')
    expect(json).toMatchObject({
      complete: true,
      lines: { first: 1, last: 5, expected: 5, arrived: 5, stored: 5, recounted: 5 },
      bytes: 50,
      gaps: [],
      warnings: []
    })
    expect(json['sentence']).toMatch(/^No line of \/var\/log\/stream-a\.log on web-1 is missing between .*: 5 lines, 50 bytes\.$/)
  })

  it('reports what is missing', async () => {
    expect((await get('/streams/stream-b/proof?start=now-1h')).json).toMatchObject({
      complete: false,
      lines: { expected: 6, arrived: 4, stored: 4, recounted: null },
      gaps: [{ from: 20, to: 40, reason: 'skipped' }]
    })
  })

  it('does not vouch for a time that is past the retention', async () => {
    const { json } = await get('/streams/stream-a/proof?start=now-400d')
    expect(json).toMatchObject({ complete: false, lines: { arrived: 5 } })
    expect(json['warnings']).toEqual([expect.stringContaining('retention')])
  })

  it('is 404 for a stream that is not there', async () => {
    expect((await get('/streams/stream-c/proof')).status).toBe(404)
  })
})

async function graphql(query: string): Promise<Readonly<Record<string, unknown>>> {
  const { data, errors, text } = await postGraphql(service.url, { query }, session)
  if (errors.length > 0 || !data) throw new Error(text)
  return data
}

describe('log streams over GraphQL', () => {
  it('lists streams with their position, host and gaps', async () => {
    const { logStreams } = await graphql(`
      {
        logStreams {
          nodes {
            id
            path
            kind
            service
            state
            end
            from
            to
            firstLine
            lastLine
            lines
            stored
            rejected
            gapCount
            complete
            lagBytes
            host {
              name
            }
            gaps {
              from
              to
              lines
              reason
              code
              merged
            }
          }
          pageInfo {
            hasNextPage
          }
          stats {
            complete
          }
        }
      }
    `)
    const place = { path: '/var/log/stream-b.log', kind: 'file', service: 'shop', state: 'ENDED', end: 'ROTATED' }
    const counts = { from: 0, to: 60, firstLine: 1, lastLine: 6, lines: 4, stored: 4, rejected: 0, gapCount: 1 }
    const gap = { from: 20, to: 40, lines: 2, reason: 'SKIPPED', code: null, merged: 1 }
    expect(logStreams).toMatchObject({
      nodes: [
        { id: 'stream-a', state: 'OPEN', end: null, complete: true, gaps: [] },
        { id: 'stream-b', ...place, ...counts, complete: false, lagBytes: null, host: { name: 'web-2' }, gaps: [gap] }
      ],
      pageInfo: { hasNextPage: false },
      stats: { complete: true }
    })
  })

  it.each([
    ['host: "web-1"', ['stream-a']],
    ['path: "/var/log/stream-a.log"', ['stream-a']],
    ['service: "none"', []],
    ['states: [ENDED]', ['stream-b']],
    ['states: [ENDED, OPEN]', ['stream-a', 'stream-b']],
    ['states: []', ['stream-a', 'stream-b']],
    ['incomplete: true', ['stream-b']],
    ['range: { from: "now-2h", to: "now-1h" }', []]
  ])('%s', async (args, expected) => {
    const { logStreams } = await graphql(`{ logStreams(${args}) { nodes { id } } }`)
    expect(logStreams).toEqual({ nodes: expected.map(id => ({ id })) })
  })

  it('pages by cursor', async () => {
    const page = async (args: string): Promise<unknown> =>
      (await graphql(`{ logStreams(${args}) { nodes { id } pageInfo { hasNextPage endCursor } } }`))['logStreams']
    const first = { nodes: [{ id: 'stream-a' }], pageInfo: { hasNextPage: true, endCursor: 'stream-a' } }
    expect(await page('first: 1')).toEqual(first)
    const last = { nodes: [{ id: 'stream-b' }], pageInfo: { hasNextPage: false, endCursor: 'stream-b' } }
    expect(await page('first: 1, after: "stream-a"')).toEqual(last)
  })

  it('finds one with its proof, and those of a host', async () => {
    const found = await graphql(`
      {
        logStream(id: "stream-b") {
          proof(range: { from: "now-1h" }, recount: true) {
            complete
            firstLine
            lastLine
            expected
            arrived
            stored
            recounted
            bytes
            gaps {
              reason
            }
            sentence
            stats {
              complete
            }
          }
        }
        missing: logStream(id: "stream-c") {
          id
        }
        host(id: "web-2") {
          all: logStreams {
            id
          }
          whole: logStreams(incomplete: false) {
            id
          }
        }
      }
    `)
    expect(found).toEqual({
      logStream: {
        proof: {
          ...{ complete: false, firstLine: 1, lastLine: 6, expected: 6, arrived: 4, stored: 4, recounted: 4, bytes: 40 },
          ...{ gaps: [{ reason: 'SKIPPED' }], sentence: expect.stringContaining('2 lines (skipped)'), stats: { complete: false } }
        }
      },
      missing: null,
      host: { all: [{ id: 'stream-b' }], whole: [] }
    })
  })
})
