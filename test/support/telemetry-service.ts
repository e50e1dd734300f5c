import { type RunningService, startService } from './running-service.js'

/** A service with some records of each signal, and the header of its first user. */
export interface TelemetryService {
  readonly service: RunningService
  readonly user: { readonly authorization: string }
}

function pageView(i: number): object {
  return {
    page_url: `https://shop.test/item/${i % 2}`,
    largest_contentful_paint_ms: 1_000 + i * 1_000,
    session_id: `s${i % 3}`,
    country: i % 2 === 0 ? 'DE' : 'FR'
  }
}

/** Starts a service and stores 12 logs, 2 series, 4 page views and 2 errors of one group. */
export async function startTelemetryService(): Promise<TelemetryService> {
  const service = await startService({ flags: ['--rate-queries', '100000'] })
  const send = async (path: string, json: unknown): Promise<void> => {
    const headers = { 'x-api-key': service.first.ingestKey }
    const response = await service.api(`${path}?ack=searchable`, { method: 'POST', headers, json })
    if (response.status !== 200) throw new Error(response.text)
  }
  await send('/api/v1/logs/batch', {
    logs: Array.from({ length: 12 }, (_, i) => ({
      message: `order ${i} placed`,
      level: i % 4 === 0 ? 'ERR' : 'info',
      service: i % 2 === 0 ? 'web' : 'db',
      host: 'h1',
      trace_id: i === 3 ? 'aabbccddaabbccddaabbccddaabbccdd' : undefined,
      log_fields: { cart: { items: i } }
    }))
  })
  await send('/api/v1/ingest/batch', {
    metrics: ['a', 'b'].flatMap(host =>
      [1, 2, 3].map(value => ({ name: 'cpu.load', value, labels: { host }, timestamp_ns: `${Date.now() - value * 1000}000000` }))
    )
  })
  for (const i of [0, 1, 2, 3]) await send('/api/v1/apm/rum', pageView(i))
  for (const id of [1, 2])
    await send('/api/v1/apm/errors', { service: 'web', type: 'Oops', message: `failed on ${id}`, stack: 'at a.ts:1' })
  return { service, user: await service.login() }
}
