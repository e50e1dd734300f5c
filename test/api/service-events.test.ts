import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SERVICE_EVENT_LIMITS } from '../../src/ingest/service-events/event-limits.js'
import type { CheckedResponse } from '../support/api-fetch.js'
import { postGraphql } from '../support/graphql-client.js'
import { type ReadingService, startReadingService } from '../support/reading-service.js'

type Json = Readonly<Record<string, unknown>>

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService()
})
afterAll(() => service?.close())

function report(json: unknown, query = ''): Promise<CheckedResponse> {
  const headers = { 'x-api-key': service.first.ingestKey }
  return service.ingest(`/api/v1/events${query}`, { method: 'POST', json, headers })
}

async function listed(query = ''): Promise<readonly Json[]> {
  return (await service.ok(service.get(`/api/v1/events${query}`)))['events'] as readonly Json[]
}

describe('an event of a service', () => {
  it('is stored once for each id, and listed by REST and GraphQL', async () => {
    const event = { type: 'deploy', id: 'run-1', service: 'checkout', version: '1.4.2', attributes: { commit: '3f2a9c4' } }
    const first = await report(event)
    expect([first.status, first.json]).toMatchObject([
      200,
      {
        status: 'ok',
        namespace: 'default',
        namespace_source: 'api_key',
        event: { id: 'run-1', type: 'deploy' },
        duplicate: false
      }
    ])
    expect((await report({ ...event, version: '2' })).json).toMatchObject({ event: { id: 'run-1' }, duplicate: true })
    const { timestamp } = first.json['event'] as Json
    const stored = { ...event, at: timestamp, environment: null, title: null, url: null }
    expect(await listed('?service=checkout')).toEqual([stored])
    const query = `{ serviceEvents(range: { from: "now-1h" }, service: "checkout", types: ["deploy"]) {
      nodes { id type at service version environment title url attributes { name value } } pageInfo { hasNextPage } } }`
    const { data } = await postGraphql<Json>(service.url, { query }, service.session)
    const { attributes: _, ...rest } = stored
    expect(data).toMatchObject({
      serviceEvents: {
        nodes: [{ ...rest, at: expect.any(String), attributes: [{ name: 'commit', value: '3f2a9c4' }] }],
        pageInfo: { hasNextPage: false }
      }
    })
  })

  it('has an id of its own without one of the sender, and is not stored in a dry run', async () => {
    const tried = await report({ type: 'dry' }, '?dry_run=true')
    expect(tried.json).toMatchObject({ dry_run: true, duplicate: false, event: { id: expect.stringMatching(/^.{20,}$/) } })
    const refused = await report({ type: 'Dry' }, '?dry_run=true')
    expect([refused.status, refused.json['code']]).toEqual([400, 'invalid_field'])
    expect(await listed('?type=dry')).toEqual([])
    await report({ type: 'dry' })
    await report({ type: 'dry' })
    expect(await listed('?type=dry')).toHaveLength(2)
  })

  it('is listed in pages, within the window', async () => {
    const old = await report({ type: 'page', timestamp: '2001-01-01T00:00:00Z' })
    expect([old.status, old.json['code']]).toEqual([400, 'timestamp_too_old'])
    for (const at of [1, 2, 3])
      await report({ type: 'page', id: `n-${at}`, timestamp: new Date(Date.now() - at * 1_000).toISOString() })
    const first = await service.ok(service.get('/api/v1/events?type=page&limit=2'))
    expect(first).toMatchObject({ events: [{ id: 'n-1' }, { id: 'n-2' }], page: { has_more: true, limit: 2 }, complete: true })
    const { next_cursor: cursor } = first['page'] as { readonly next_cursor: string }
    const rest = await service.ok(service.get(`/api/v1/events?type=page&limit=2&cursor=${cursor}`))
    expect(rest).toMatchObject({ events: [{ id: 'n-3' }], page: { next_cursor: null, has_more: false } })
    expect(await service.fault(service.get('/api/v1/events?cursor=x'))).toEqual([400, 'invalid_field'])
    expect(await service.fault(service.get('/api/v1/events?limit=501'))).toEqual([400, 'invalid_field'])
  })

  it('is refused beyond the limits of a body and of a namespace', async () => {
    const large = await report({ type: 'large', title: 'x'.repeat(SERVICE_EVENT_LIMITS.bodyBytes) })
    expect([large.status, large.json['code']]).toEqual([413, 'payload_too_large'])
    const headers = { 'x-api-key': service.first.ingestKey, 'content-type': 'application/json' }
    const broken = await service.ingest('/api/v1/events', { method: 'POST', body: '{"type":', headers })
    expect(broken.json).toMatchObject({ code: 'invalid_json' })
    const statuses = new Set<number>()
    for (let sent = 0; sent <= SERVICE_EVENT_LIMITS.burst; sent++) statuses.add((await report({ type: 'many' })).status)
    expect([...statuses]).toEqual([200, 429])
  })
})
