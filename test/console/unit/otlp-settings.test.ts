import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { cureOf, skewWarning } from '../../../console/src/otlp/cure.js'
import { sendSettings } from '../../../console/src/app/send-settings.js'

const BOTH = { httpUrl: 'https://otlp.example.test', grpcUrl: 'http://127.0.0.1:4317' }

function textOf(title: string, target: { httpUrl: string | null; grpcUrl: string | null }): string {
  return sendSettings(target).find(one => one.title === title)!.text
}

describe('settings of senders', () => {
  it('has the URL of each receiver', () => {
    expect(textOf('SDK over HTTP', BOTH)).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=https://otlp.example.test\n')
    expect(textOf('SDK over gRPC', BOTH)).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4317\n')
    expect(textOf('One log by curl', BOTH)).toContain('https://otlp.example.test/v1/logs')
  })

  it('offers nothing for receivers that are disabled', () => {
    expect(sendSettings({ httpUrl: null, grpcUrl: null })).toEqual([])
    expect(sendSettings({ ...BOTH, grpcUrl: null }).map(({ title }) => title)).not.toContain('SDK over gRPC')
  })

  it('writes a configuration that the Collector can parse', () => {
    const overHttp = parse(textOf('Collector', BOTH)) as { exporters: Record<string, { endpoint: string }> }
    expect(overHttp.exporters['otlp_http']?.endpoint).toBe('https://otlp.example.test')
    const overGrpc = parse(textOf('Collector', { ...BOTH, httpUrl: null })) as typeof overHttp
    expect(overGrpc.exporters['otlp_grpc']).toMatchObject({ endpoint: '127.0.0.1:4317', tls: { insecure: true } })
  })
})

describe('the cure of a rejection', () => {
  it.each([
    ['startTimeUnixNano is before 2026-11-16T00:00:00Z, where the retention begins', /Retention/],
    ['timeUnixNano is before x, where the retention begins; it was parsed as y; check its unit', /nanoseconds/],
    ['endTimeUnixNano is after 2026-11-23T00:10:00Z', /clock/],
    ['scope_required: the key must be of kind ingest', /INGEST/],
    ['payload_too_large: body exceeds the limit', /batches/]
  ])('of "%s"', (rejection, cure) => {
    expect(cureOf(rejection)).toMatch(cure)
  })

  it('is not guessed', () => {
    expect(cureOf('something new')).toBeNull()
  })
})

it('names clock differences that are not usual, in both directions', () => {
  expect(skewWarning(500)).toBeNull()
  expect(skewWarning(-5_000)).toMatch(/ahead/)
  expect(skewWarning(3_600_000)).toMatch(/behind/)
})
