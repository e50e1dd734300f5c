import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { AgentCounters } from '../../agent/src/agent-counters.js'
import { parseConfig } from '../../agent/src/config/load-config.js'
import { machineCollector } from '../../agent/src/metrics/machine-collector.js'
import { metricsBody } from '../../agent/src/metrics/metric-sender.js'
import { type IngestService, openIngestService } from '../support/ingest-service.js'

let service: IngestService
beforeAll(async () => {
  service = await openIngestService()
})
afterAll(() => service.close())

describe('metrics of the host agent', () => {
  it('are all accepted', async () => {
    const collector = machineCollector({
      config: parseConfig('metrics: {per_cpu: true, all_interfaces: true}', { SERVICE_API_KEY: 'key' }),
      elapsedMs: () => performance.now(),
      own: async () => ({ counters: new AgentCounters(), retries: 0, sources: [{ path: '/a', state: 'reading', lagBytes: 1 }] }),
      onFault: () => undefined
    })
    await collector.collect()
    const points = await collector.collect()
    const body = metricsBody(points, { namespace: { name: 'prod', from: '' }, host: 'web-1', tags: { env: 'test' } }, Date.now())
    const response = await service.api('/api/v1/ingest/batch', {
      method: 'POST',
      json: JSON.parse(body),
      headers: { 'x-api-key': 'ingest' }
    })
    expect([response.status, response.json]).toMatchObject([200, { accepted: points.length, rejected: 0 }])
  })
})
