import { describe, expect, it } from '@jest/globals'
import { parseJsonBody } from '../../../src/http/json-parser.js'
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.js'
import { OTLP_LOGS, OtlpReader } from '../../../src/ingest/read-otlp.js'
import { RecordReader } from '../../../src/ingest/read-records.js'
import { FairScheduler } from '../../../src/ingest/fair-scheduler.js'

const marked = (json: string): Buffer => Buffer.from(`\ufeff${json}`)

describe('a byte order mark in front of a body', () => {
  it('is skipped by control and read routes', () => {
    expect(parseJsonBody(marked('{"a":1}'))).toEqual({ a: 1 })
    expect(parseJsonBody(marked(''))).toBeUndefined()
  })

  it.each(['json', 'ndjson'] as const)('is skipped by write routes in %s', async form => {
    const scheduler = new FairScheduler(1)
    const reader = new RecordReader({ kind: 'many', key: 'logs' }, DEFAULT_INGEST_LIMITS, scheduler)
    const { items } = await reader.read(marked(form === 'json' ? '[{"a":1},{"a":2}]' : '{"a":1}\n{"a":2}'), form)
    expect(items).toEqual([{ a: 1 }, { a: 2 }])
  })

  it('is skipped by OTLP in JSON', async () => {
    const reader = new OtlpReader(OTLP_LOGS, 10, new FairScheduler(1))
    const body = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"x"}}]}]}]}'
    expect((await reader.read(marked(body), 'json')).items).toHaveLength(1)
  })
})
