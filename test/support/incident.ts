import { expect } from '@jest/globals'
import { type ReadingService, startReadingService } from './reading-service.js'

const STEP_S = 15
const POINTS = 160
/** Seconds; the incident begins here, an hour ago, 140 points after the first sample. */
export const INCIDENT_S = Math.floor(Date.now() / 1000) - 3600
const FIRST_S = INCIDENT_S - 140 * STEP_S

/** A number between 0 and 1 that is the same in every run. */
function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43_758.5453
  return x - Math.floor(x)
}

type Value = (i: number, isIncident: boolean) => number | null

function pointsOf(name: string, type: string, labels: object, value: Value): readonly object[] {
  return Array.from({ length: POINTS }, (_, i) => ({ i, value: value(i, i >= 140) }))
    .filter(point => point.value !== null)
    .map(point => ({ name, type, labels, value: point.value, timestamp: FIRST_S + point.i * STEP_S }))
}

/** Starts the service with metrics and logs of an incident: with it several series of the service `checkout` move, others do not. */
export async function startWithIncident(): Promise<ReadingService> {
  const service = await startReadingService()
  let errors = 0
  let [sum, count] = [0, 0]
  const checkout = { service: 'checkout', host: 'web-1' }
  const metrics = [
    pointsOf('pool_in_use', 'gauge', checkout, (i, isIncident) => (isIncident ? 40 : 5) + 3 * noise(i)),
    pointsOf(
      'errors_total',
      'counter',
      checkout,
      (i, isIncident) => (errors += isIncident ? 20 + noise(i) : noise(i) > 0.9 ? 1 : 0)
    ),
    pointsOf(
      'request_seconds_sum',
      'counter',
      checkout,
      (i, isIncident) => (sum += (isIncident ? 2 : 0.1) * (10 + 3 * noise(i)))
    ),
    pointsOf('request_seconds_count', 'counter', checkout, i => (count += 10 + 3 * noise(i))),
    pointsOf('request_seconds_bucket', 'counter', { ...checkout, le: '1' }, i => i),
    pointsOf('circuit_open', 'gauge', checkout, (_, isIncident) => (isIncident ? 1 : null)),
    pointsOf('heartbeat', 'gauge', checkout, (_, isIncident) => (isIncident ? null : 1)),
    ...Array.from({ length: 20 }, (_, k) => pointsOf(`quiet_${k}`, 'gauge', checkout, i => noise(1000 * k + i))),
    pointsOf('node_load', 'gauge', { instance: 'web-1:9100' }, (i, isIncident) => (isIncident ? 8 : 1) + noise(i + 7)),
    pointsOf('calm', 'gauge', { service: 'calm' }, i => noise(i + 3)),
    pointsOf('cpu', 'gauge', { container_name: 'checkout-7f' }, (i, isIncident) => (isIncident ? 90 : 20) + noise(i)),
    pointsOf('foreign', 'gauge', { service: 'other' }, (i, isIncident) => (isIncident ? 90 : 20) + noise(i))
  ].flat()
  await service.write('/api/v1/ingest/batch?ack=searchable', { metrics })
  const at = new Date((INCIDENT_S + 150) * 1000).toISOString()
  const common = { service: 'checkout', host: 'web-1', level: 'error', timestamp: at }
  await service.write('/api/v1/logs/batch?ack=searchable', {
    logs: [
      { ...common, message: 'pool exhausted', trace_id: 'f'.repeat(32), log_fields: { container: { name: 'checkout-7f' } } },
      { ...common, message: 'pool exhausted again' },
      { message: 'from an unknown place', timestamp: at }
    ]
  })
  return service
}

/** Sends logs or spans as OTLP. */
export async function sendOtlp(service: ReadingService, signal: 'logs' | 'traces', json: object): Promise<void> {
  const headers = { 'x-api-key': service.first.ingestKey }
  const response = await service.api(`/api/v1/otlp/v1/${signal}`, { method: 'POST', json, headers })
  expect([response.status, response.text]).toEqual([200, '{}'])
  await service.settle()
}

/** The id of the log with this message. */
export async function logId(service: ReadingService, message: string, start = 'now-2h'): Promise<string> {
  const { logs } = await service.ok(service.post('/api/v1/logs/query', { query: `"${message}"`, start }))
  return (logs as readonly { id: string; message: string }[]).find(log => log.message === message)!.id
}
