import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { Changes } from '../support/changes.js'
import { ClockAhead } from '../support/clock-ahead.js'
import { postGraphql } from '../support/graphql-client.js'
import { namespaceId, openIngestService } from '../support/ingest-service.js'
import { type RunningService, startService } from '../support/running-service.js'
import { BUSY_FLAGS, createTenant, must, type Tenant, textOf } from '../support/tenants.js'

const clock = new ClockAhead()
const news = new Changes()

let service: RunningService
let mine: Tenant
let theirs: Tenant
let ruleId: string

beforeAll(async () => {
  service = await startService({ flags: BUSY_FLAGS, app: { clock, onAlertEvents: news.notify, onGapEvents: news.notify } })
  mine = await createTenant(service, 'zqmine')
  theirs = await createTenant(service, 'zqtheirs')
  const { api } = service
  const groupId = textOf(await must(api, 'POST /api/v1/alerts/groups', mine.member, { name: 'fast', interval: '10s' }), 'id')
  const condition = { event: { type: 'log.gap', window: '10m' } }
  const rule = { alert: 'LinesMissing', condition, group_id: groupId }
  ruleId = textOf(await must(api, 'POST /api/v1/alerts/rules', mine.member, rule), 'id')
}, 240_000)
afterAll(() => service?.close())

type Json = Readonly<Record<string, unknown>>

/** The first batch of a stream, behind a gap. */
function batch(id: string, gap: object): object {
  const place = { seq: 1, from: 90, to: 91, first_line: 13, lines: 1, sealed_at: new Date(clock.nowMs()).toISOString() }
  const stream = { id, path: `/var/log/${id}.log`, ...place, gap: { from: 0, to: 90, lines: 12, ...gap } }
  return { stream, defaults: { host: 'web-1', service: 'shop' }, logs: [{ message: 'after the gap' }] }
}

async function send(json: object): Promise<Json> {
  const headers = { 'x-api-key': mine.ingestKey }
  const { status, json: reply, text } = await service.ingest('/api/v1/logs/batch', { method: 'POST', json, headers })
  if (status !== 200) throw new Error(text)
  return reply
}

async function listed(as: Tenant, query: string): Promise<readonly Json[]> {
  const { json } = await must(service.api, `GET /api/v1/events?end=now%2B1h${query}`, as.viewer)
  return json['events'] as readonly Json[]
}

/** Waits for the event about a path and puts the clock forward until an alert with the path fires; its labels. */
async function fired(path: string): Promise<Json> {
  const isOfPath = ({ attributes }: Json): boolean => (attributes as Json)['path'] === path
  await news.until(async () => (await listed(mine, '&type=log.gap')).some(isOfPath))
  clock.aheadMs += 10_000
  return news.find(async () => {
    const { json } = await must(service.api, `GET /api/v1/alerts?rule_id=${ruleId}&state=firing`, mine.viewer)
    const alerts = json['alerts'] as readonly { readonly labels: Json }[]
    return alerts.find(({ labels }) => labels['path'] === path)?.labels ?? null
  })
}

describe('a gap of a log stream', () => {
  it('is one event, on which a rule fires, and of which another namespace sees nothing', async () => {
    const first = batch('zqstream-a', { reason: 'truncated' })
    expect(await send(first)).toMatchObject({ accepted: 1 })
    const labels = { alertname: 'LinesMissing', event: 'log.gap', host: 'web-1', service: 'shop' }
    expect(await fired('/var/log/zqstream-a.log')).toMatchObject(labels)
    expect(await send(first)).toMatchObject({ stream: { repeated: true } })
    await send(batch('zqstream-b', { reason: 'deleted', lines: null }))
    expect(await fired('/var/log/zqstream-b.log')).toMatchObject(labels)
    const own = (await listed(mine, '&type=log.gap')).filter(({ service: named }) => named === 'shop')
    expect(own).toMatchObject([
      {
        title: 'An unknown number of lines of /var/log/zqstream-b.log on web-1 are missing (deleted)',
        attributes: { host: 'web-1', path: '/var/log/zqstream-b.log', stream: 'zqstream-b', reason: 'deleted' }
      },
      {
        ...{ type: 'log.gap', service: 'shop', version: null },
        title: '12 lines of /var/log/zqstream-a.log on web-1 are missing (truncated)',
        attributes: { lines: '12', reason: 'truncated' }
      }
    ])
    // Each tenant has a stream with a gap.
    const foreign = (await listed(theirs, '&type=log.gap')).map(({ attributes }) => (attributes as Json)['stream'])
    expect(foreign).toEqual(['zqtheirs-stream'])
  }, 120_000)

  it('is listed by its type alone', async () => {
    const types = async (query: string): Promise<readonly string[]> => {
      const events = await listed(mine, query)
      return [...new Set(events.map(({ type }) => String(type)))].sort()
    }
    expect([await types(''), await types('&type=log.gap&type=deploy')]).toEqual([['deploy'], ['deploy', 'log.gap']])
    const query = (types: string): string =>
      `{ serviceEvents(range: { from: "now-1h", to: "now+1h" }${types}) { nodes { type } } }`
    const read = async (types: string): Promise<string> => {
      const headers = { authorization: `Bearer ${mine.viewer}` }
      return JSON.stringify((await postGraphql(service.url, { query: query(types) }, headers)).data)
    }
    expect([await read(''), await read(', types: ["log.gap"]')]).toEqual([
      expect.not.stringContaining('log.gap'),
      expect.stringContaining('log.gap')
    ])
  })

  it('cannot be reported by a sender', async () => {
    const headers = { 'x-api-key': mine.ingestKey }
    const report = (json: object) => service.ingest('/api/v1/events', { method: 'POST', json, headers })
    const refused = (detail: string): object => ({ code: 'invalid_field', detail: expect.stringContaining(detail) })
    expect((await report({ type: 'log.gap' })).json).toMatchObject(refused('type must be'))
    expect((await report({ type: 'deploy', id: 'log.gap:a' })).json).toMatchObject(refused('id must not begin with log.gap:'))
  })
})

describe('events about gaps', () => {
  const IN_PROD = { 'x-api-key': 'ingest', 'x-service-namespace': 'prod' }

  it('are bounded, and delay no batch that they cannot be stored for', async () => {
    const own = await openIngestService()
    try {
      const { serviceEvents } = own.control
      const added = new Changes()
      let attempts = 0
      jest.spyOn(serviceEvents, 'add').mockImplementation(() => {
        attempts++
        added.notify()
        return Promise.reject(new Error('the disk is full'))
      })
      const post = (id: string) =>
        own.api('/api/v1/logs/batch', { method: 'POST', json: batch(id, { reason: 'truncated' }), headers: IN_PROD })
      const statuses = new Set<number>()
      for (let sent = 0; sent < 30; sent++) statuses.add((await post(`zqstream-${sent}`)).status)
      expect([...statuses]).toEqual([200])
      await added.until(() => attempts > 0)
      jest.restoreAllMocks()
      own.ingest.start()
      const stored = new Changes()
      const keepNewest = serviceEvents.keepNewest.bind(serviceEvents)
      jest.spyOn(serviceEvents, 'keepNewest').mockImplementation(async (...request) => {
        await keepNewest(...request)
        stored.notify()
      })
      const list = () => serviceEvents.list(namespaceId('prod'), { fromMs: 0, toMs: 2 ** 52, types: ['log.gap'], limit: 100 })
      const events = await stored.find(async () => {
        const found = await list()
        return found.length >= 15 ? found : null
      })
      // Of one minute 15 streams have an event; the batches may have arrived in two.
      expect(events.length).toBeLessThanOrEqual(30)
    } finally {
      jest.restoreAllMocks()
      await own.close()
    }
  }, 60_000)
})
