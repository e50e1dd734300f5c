import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { Session } from '../../bench/service/session.js'
import { describeWithSuite } from '../support/suite-cases.js'
import { suitePath } from '../support/suite-path.js'
import { openServiceStores } from '../support/service-profile.js'
import { openTempFolder } from '../support/temp-folder.js'
import { readSet, SETS } from './sets.js'
import type { SentLog } from './sets.js'
import { canonicalLevel, FIELDS, fullTimestamp, someWords, tally } from './tally.js'

interface ReturnedLog extends Omit<SentLog, 'log_fields'> {
  readonly id: string
  readonly log_fields?: Readonly<Record<string, unknown>>
}
interface Facet {
  readonly field: string
  readonly values: readonly { readonly value: string; readonly count: number }[]
  readonly missing: number
  readonly other: number
}

const FOLDER = suitePath('')
const ALL_TIME = { start: '1970-01-01T00:00:00Z', end: 'now' }
const BATCH = 500
const WORDS = 12
const PAGE = 5000
const MAX_FACET_VALUES = 1000

let service: ServiceProcess
let session: Session
let removeFolder: () => Promise<void>
const sent = new Map<string, SentLog[]>()

async function send(apiKey: string, namespace: string, logs: readonly SentLog[]): Promise<number> {
  let accepted = 0
  for (let i = 0; i < logs.length; i += BATCH) {
    const reply = await fetch(`${service.url}/api/v1/logs/batch?ack=searchable`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ namespace, logs: logs.slice(i, i + BATCH) })
    })
    const response = (await reply.json()) as { status: string; accepted: number }
    if (response.status !== 'ok') throw new Error(`${reply.status} ${JSON.stringify(response)}`)
    accepted += response.accepted
  }
  return accepted
}

function query(set: string, body: object): Promise<{ logs: ReturnedLog[]; complete: boolean }> {
  return session.call('POST', '/api/v1/logs/query', { namespace: set, ...ALL_TIME, limit: PAGE, ...body })
}

async function facets(set: string, body: object): Promise<Map<string, Facet>> {
  const response = await session.call<{ facets: Facet[] }>('POST', '/api/v1/logs/facets', {
    namespace: set,
    ...ALL_TIME,
    limit: MAX_FACET_VALUES,
    ...body
  })
  return new Map(response.facets.map(facet => [facet.field, facet]))
}

function asReturned(log: SentLog): object {
  const { level, timestamp, ...rest } = log
  return { ...rest, timestamp: fullTimestamp(timestamp), ...(level === undefined ? {} : { level: canonicalLevel(level) }) }
}

function comparable(log: ReturnedLog): object {
  const names = ['timestamp', 'message', 'service', 'host', 'level', 'trace_id', 'span_id', 'log_fields'] as const
  return Object.fromEntries(names.filter(name => log[name] !== undefined && log[name] !== null).map(name => [name, log[name]]))
}

function byText(logs: readonly object[]): string[] {
  return logs.map(log => JSON.stringify(Object.entries(log).sort(([a], [b]) => (a < b ? -1 : 1)))).sort()
}

async function sendAll(): Promise<void> {
  for (const set of SETS) {
    const namespace = await session.makeNamespace(set.name, { logs: 'forever' })
    const logs = readSet(FOLDER, set)
    sent.set(set.name, logs)
    const apiKey = await session.makeKey(`for ${set.name}`, 'ingest', [namespace.id])
    expect(await send(apiKey, set.name, logs)).toBe(logs.length)
  }
}

function rowsAndFields(name: string): void {
  const logs = (): SentLog[] => sent.get(name)!

  it('gives back every line once, with every field as in the file', async () => {
    const response = await query(name, {})
    expect(response.complete).toBe(true)
    expect(byText(response.logs.map(comparable))).toEqual(byText(logs().map(asReturned)))
    expect(new Set(response.logs.map(log => log.id)).size).toBe(logs().length)
  })

  it('lists the newest first', async () => {
    const times = (await query(name, {})).logs.map(log => log.timestamp)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it.each(Object.keys(FIELDS))('counts and filters %s as the file does', async field => {
    const expected = tally(logs(), FIELDS[field]!)
    const facet = (await facets(name, { fields: [field] })).get(field)
    const total = [...expected.values()].reduce((a, b) => a + b, 0)
    const got = new Map((facet?.values ?? []).map(({ value, count }) => [value, count]))
    const listed = Math.min(MAX_FACET_VALUES, expected.size)
    expect([got.size, [...got].filter(([value, count]) => expected.get(value) !== count)]).toEqual([listed, []])
    const other = total - [...got.values()].reduce((a, b) => a + b, 0)
    if (facet) expect([facet.missing, facet.other]).toEqual([logs().length - total, other])
    for (const [value, count] of [...expected].slice(0, 5)) {
      const { logs: found } = await query(name, { filters: [{ field, op: 'eq', value }] })
      expect([field, value, found.length]).toEqual([field, value, count])
    }
  })
}

function listsAndWords(name: string): void {
  const logs = (): SentLog[] => sent.get(name)!

  it('lists services, hosts and levels with their counts', async () => {
    for (const [path, field] of [
      ['services', 'service'],
      ['hosts', 'host'],
      ['levels', 'level']
    ] as const) {
      const window = new URLSearchParams({ ...ALL_TIME, limit: '1000', namespace: name }).toString()
      const response = await session.call<{ values: { value: string; count: number }[] }>('GET', `/api/v1/logs/${path}?${window}`)
      const got = response.values.map(({ value, count }): [string, number] => [value, count])
      expect(new Map(got)).toEqual(tally(logs(), FIELDS[field]!))
    }
  })

  it('finds words in any case wherever the file has them', async () => {
    for (const word of someWords(logs(), WORDS)) {
      const expected = logs().filter(log => log.message.toLowerCase().includes(word.toLowerCase())).length
      const { logs: found } = await query(name, { query: `"${word.toUpperCase()}"` })
      expect([word, found.length]).toEqual([word, expected])
    }
  })

  it('narrows facets by the other conditions, not by their own', async () => {
    const [service] = [...tally(logs(), FIELDS['service']!)].sort((a, b) => b[1] - a[1])[0]!
    const response = await facets(name, { fields: ['service', 'event_id'], service })
    const within = logs().filter(log => log.service === service)
    const events = new Map((response.get('event_id')?.values ?? []).map(({ value, count }) => [value, count]))
    expect(events).toEqual(tally(within, FIELDS['event_id']!))
    expect(response.get('service')?.values).toHaveLength(tally(logs(), FIELDS['service']!).size)
  })
}

describeWithSuite('', 'public data sets through the running service', () => {
  beforeAll(async () => {
    const folder = await openTempFolder()
    const stores = await openServiceStores()
    removeFolder = async () => {
      await stores.remove()
      await folder.remove()
    }
    service = await ServiceProcess.start({ dataDir: folder.path, env: stores.env })
    session = await Session.operator(service)
    await sendAll()
  }, 120_000)
  afterAll(async () => {
    await service?.stop()
    await removeFolder?.()
  })

  describe.each(SETS.map(set => set.name))('%s', name => {
    rowsAndFields(name)
    listsAndWords(name)
  })

  it('gives the logs of every TrainTicket trace', async () => {
    const logs = sent.get('trainticket')!
    const traces = tally(logs, log => log.trace_id)
    expect(traces.size).toBeGreaterThan(50)
    for (const traceId of traces.keys()) {
      const path = `/api/v1/logs/correlate/traces/${traceId}?limit=1000&namespace=trainticket`
      const response = await session.call<{ logs: ReturnedLog[] }>('GET', path)
      const expected = logs.filter(log => log.trace_id === traceId)
      expect(byText(response.logs.map(comparable))).toEqual(byText(expected.map(asReturned)))
    }
  })

  it('keeps each set out of the other namespaces', async () => {
    const response = await query('apache', { query: 'blk_' })
    expect(response.logs).toEqual([])
  })
})
