import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { exportOf, newTraceId, type SpanSent } from '../support/otlp-spans.js'
import type { ReadingService } from '../support/reading-service.js'
import { startReadingService } from '../support/reading-service.js'

/** Whole minutes: half an hour ago. */
const INCIDENT_MS = Math.floor(Date.now() / 60_000) * 60_000 - 1_800_000
const STEP_MS = 5_000

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService({})
  const spans: SpanSent[] = []
  for (let at = INCIDENT_MS - 1_800_000; at < INCIDENT_MS + 300_000; at += STEP_MS) {
    const tookMs = (at >= INCIDENT_MS ? 3_500 : 229) + ((at / STEP_MS) % 7)
    spans.push({ trace: newTraceId(), service: 'checkout', name: 'POST /pay', kind: 2, startMs: at, tookMs })
  }
  const headers = { 'x-api-key': service.first.ingestKey }
  const sent = await service.ingest('/api/v1/otlp/v1/traces', { method: 'POST', json: exportOf(spans), headers })
  expect(sent.status).toBe(200)
  await service.settle()
}, 60_000)
afterAll(() => service?.close())

it('names the durations of spans that moved, though no metric is stored', async () => {
  const anchor = { service: 'checkout', at: Math.floor(INCIDENT_MS / 1_000) + 150 }
  const response = await service.ok(service.post('/api/v1/logs/correlate/metrics', { anchor, window_s: 300 }))
  expect(response['verdict']).toBe('moved')
  const [first] = response['series'] as { metric: string; form: string; labels: Record<string, string>; reason: string }[]
  expect(first).toMatchObject({ metric: 'span_duration_seconds', form: 'mean', labels: { operation: 'POST /pay' } })
  expect(first!.reason).toMatch(/^median rose from 0\.23\d* to 3\.50\d* /)
})
