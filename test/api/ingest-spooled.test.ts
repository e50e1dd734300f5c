import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { GatewayError } from '../../src/domain/errors.js'
import type { Stores } from '../../src/ports/stores.js'
import { openSpool, type OpenedSpool } from '../../src/stores/spool/open-spool.js'
import { systemClock } from '../../src/telemetry/system-clock.js'
import type { CheckedResponse } from '../support/api-fetch.js'
import { type IngestService, namespaceId, openIngestService } from '../support/ingest-service.js'
import { openTempFolder } from '../support/temp-folder.js'
import { quietJobs, SILENT_LOGGER } from '../support/quiet-jobs.js'

const PROD = namespaceId('prod')
const SPOOL_BYTES = 65_536

/** How the store is: the embedded one plays a managed one, whose faults are the one thing that is made up. */
let fault: 'none' | 'down' | 'results are lost' | 'takes the first' = 'none'

function withFaults(stores: Stores): Stores['logs'] {
  const down = (): GatewayError => new GatewayError('store_unavailable', 'connection refused')
  const logs: Pick<Stores['logs'], 'append' | 'settle'> = {
    settle: ns => stores.logs.settle(ns),
    append: async (ns, batch) => {
      if (fault === 'down') throw down()
      if (fault === 'takes the first') {
        await stores.logs.append(ns, { ...batch, items: batch.items.slice(0, 1) })
        throw new GatewayError('overloaded', 'the write queue is full')
      }
      const result = await stores.logs.append(ns, batch)
      if (fault === 'results are lost') throw down()
      return result
    }
  }
  return logs as Stores['logs']
}

let folder: Awaited<ReturnType<typeof openTempFolder>>
let spool: OpenedSpool
let service: IngestService
let wrapped: Stores['logs']

beforeAll(async () => {
  folder = await openTempFolder()
  const limits = { maxBytes: SPOOL_BYTES, minFreeBytes: 0 }
  spool = await openSpool({
    folder: `${folder.path}/spool`,
    clock: systemClock,
    logger: SILENT_LOGGER,
    jobs: quietJobs(),
    limits
  })
  service = await openIngestService({}, stores => {
    const { logs } = spool.spooled({ ...stores, name: 'played', logs: withFaults(stores) })
    wrapped = logs
    return { ...stores, logs }
  })
  spool.start(outcome => service.ingest.replayed(outcome))
})

afterEach(async () => {
  fault = 'none'
  await wrapped.settle(PROD)
})

afterAll(async () => {
  await spool.close()
  await service.close()
  await folder.remove()
})

function post(json: unknown, headers: Record<string, string> = {}, query = ''): Promise<CheckedResponse> {
  service.clock.aheadMs += 60_000
  return service.api(`/api/v1/logs/batch${query}`, {
    method: 'POST',
    json,
    headers: { 'x-api-key': 'ingest', 'x-service-namespace': 'prod', ...headers }
  })
}

function logs(message: string, count = 2): object {
  return { logs: Array.from({ length: count }, () => ({ message })) }
}

async function countOf(message: string): Promise<number> {
  const filter = { kind: 'contains', field: { in: 'known', name: 'message' }, value: message } as const
  const range = { startNs: 0n, endNs: 1n << 62n }
  const { total } = await service.stores.logs.search(PROD, { range, filter, total: true }, new AbortController().signal)
  return total!.value
}

describe('an outage of the store', () => {
  it('is reported in the response, and the records are searchable when it is over', async () => {
    fault = 'down'
    const response = await post(logs('during-a'))
    expect(response.status).toBe(200)
    expect(response.json).toMatchObject({ status: 'ok', accepted: 2, rejected: 0, spooled: 2 })
    expect(await countOf('during-a')).toBe(0)
    fault = 'none'
    await wrapped.settle(PROD)
    expect(await countOf('during-a')).toBe(2)
    expect((await post(logs('after-a'))).json).not.toHaveProperty('spooled')
  })

  it('leaves no record out of the sum of what was received', async () => {
    const sums = async (): Promise<number[]> => {
      await service.ingest.close()
      const rows = (await service.control.usage.of(PROD, '2000-01-01', '2999-01-01')).filter(({ signal }) => signal === 'logs')
      const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0)
      const waiting = spool.waiting(PROD).reduce((total, { records }) => total + records, 0)
      return [sum(row => row.stored), sum(row => row.rejected), sum(row => row.deduplicated), waiting]
    }
    const before = await sums()
    fault = 'results are lost'
    await post({ logs: [{ message: 'sum-b' }, { message: 'sum-b' }, {}] })
    expect((await sums()).map((sum, i) => sum - before[i]!)).toEqual([0, 1, 0, 2])
    fault = 'none'
    await wrapped.settle(PROD)
    expect((await sums()).map((sum, i) => sum - before[i]!)).toEqual([2, 1, 0, 0])
    expect(await countOf('sum-b')).toBe(2)
  })

  it('is an error for a write that is to be searchable, which may be sent again under its key', async () => {
    fault = 'down'
    const refused = await post(logs('searchable-c'), { 'idempotency-key': 'c' }, '?ack=searchable')
    expect([refused.status, refused.json]).toEqual([503, expect.objectContaining({ code: 'store_unavailable' })])
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect(spool.waiting(PROD)).toEqual([])
    fault = 'none'
    const again = await post(logs('searchable-c'), { 'idempotency-key': 'c' }, '?ack=searchable')
    expect([again.status, again.json]).toEqual([200, expect.objectContaining({ accepted: 2 })])
    expect(await countOf('searchable-c')).toBe(2)
  })

  it('stores once what is sent twice under one key, once during and once after it', async () => {
    fault = 'results are lost'
    const first = await post(logs('twice-d'), { 'idempotency-key': 'd' })
    expect(first.json).toMatchObject({ spooled: 2 })
    fault = 'none'
    await wrapped.settle(PROD)
    const repeat = await post(logs('twice-d'), { 'idempotency-key': 'd' })
    expect(repeat.headers.get('idempotency-replayed')).toBe('true')
    expect(repeat.json).toEqual(first.json)
    expect(await countOf('twice-d')).toBe(2)
    const searchable = await post(logs('twice-d'), { 'idempotency-key': 'd' }, '?ack=searchable')
    expect(searchable.json).toMatchObject({ accepted: 2 })
    expect(searchable.json).not.toHaveProperty('spooled')
  })

  it('refuses what finds no room, and what may have been stored all the same is stored once', async () => {
    const large = logs(`large-e ${'x'.repeat(1_000)}`, SPOOL_BYTES / 1_000)
    fault = 'results are lost'
    const refused = await post(large, { 'idempotency-key': 'e' })
    expect([refused.status, refused.json]).toEqual([503, expect.objectContaining({ code: 'store_unavailable' })])
    fault = 'none'
    const again = await post(large, { 'idempotency-key': 'e' })
    expect(again.status).toBe(200)
    expect(await countOf('large-e')).toBe(65)
  })

  it('stores once what is refused in every way until there is room again', async () => {
    const large = logs(`large-g ${'x'.repeat(1_000)}`, SPOOL_BYTES / 1_000)
    const codes: unknown[] = []
    const send = async (during: typeof fault): Promise<void> => {
      fault = during
      codes.push((await post(large, { 'idempotency-key': 'g' })).json['code'])
    }
    await send('results are lost')
    // The queue of the namespace gets no requests while something waits in it: only the full spool responds.
    fault = 'down'
    await post(logs('first-g'))
    for (const during of ['down', 'results are lost', 'down'] as const) await send(during)
    fault = 'none'
    await wrapped.settle(PROD)
    await send('none')
    expect(codes).toEqual(['store_unavailable', 'overloaded', 'overloaded', 'overloaded', undefined])
    expect(await countOf('large-g')).toBe(65)
  })

  it('refuses as overloaded what finds no room behind others', async () => {
    fault = 'down'
    await post(logs('first-f'))
    const refused = await post(logs(`large-f ${'x'.repeat(1_000)}`, SPOOL_BYTES / 1_000))
    expect([refused.status, refused.json]).toEqual([503, expect.objectContaining({ code: 'overloaded' })])
    expect(refused.headers.get('retry-after')).not.toBeNull()
  })
})
