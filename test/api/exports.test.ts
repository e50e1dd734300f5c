import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const HOUR_MS = 3_600_000
const LOGS = 300
const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS
const WINDOW = { start: new Date(startMs).toISOString(), end: new Date(startMs + HOUR_MS).toISOString() }
const HOSTILE = '=HYPERLINK("http://evil.example","open; me")'
let service: ReadingService

const logOf = (i: number): object => ({
  timestamp: new Date(startMs + i * 1_000).toISOString(),
  service: `s${i % 3}`,
  level: i % 10 === 0 ? 'error' : 'info',
  message: i === 0 ? HOSTILE : `order ${i}\nof "ada"`,
  log_fields: { order: { id: i, tags: ['a', 'b'] }, large: '9007199254740993', '__proto__.x': 1 },
  tags: { env: 'test' }
})

const spanOf = (i: number): object => {
  const startNs = BigInt(startMs + i * 1_000) * 1_000_000n
  return {
    traceId: String(i + 1).padStart(32, '0'),
    spanId: String(i + 1).padStart(16, '0'),
    name: 'GET /cart',
    kind: 2,
    startTimeUnixNano: String(startNs),
    endTimeUnixNano: String(startNs + BigInt(i + 1) * 1_000_000n),
    status: { code: i % 2 === 0 ? 2 : 1 },
    attributes: [{ key: 'http.size', value: { intValue: String(100 * i) } }],
    events: [{ name: 'retry', timeUnixNano: String(startNs), attributes: [{ key: 'n', value: { intValue: '1' } }] }]
  }
}

beforeAll(async () => {
  service = await startReadingService()
  await service.write('/api/v1/logs/batch', { logs: Array.from({ length: LOGS }, (_, i) => logOf(i)) })
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'cart' } }] }
  const json = { resourceSpans: [{ resource, scopeSpans: [{ spans: Array.from({ length: 10 }, (_, i) => spanOf(i)) }] }] }
  const headers = { 'x-api-key': service.first.ingestKey }
  expect((await service.ingest('/api/v1/otlp/v1/traces', { method: 'POST', json, headers })).status).toBe(200)
  await service.settle()
})
afterAll(async () => service?.close())

/** A file as a client saves it. */
async function exported(
  what: 'logs' | 'spans',
  body: object = {}
): Promise<{ readonly headers: Headers; readonly bytes: Buffer }> {
  const response = await fetch(`${service.url}/api/v1/${what}/export`, {
    method: 'POST',
    headers: { ...service.session, 'content-type': 'application/json' },
    body: JSON.stringify({ ...WINDOW, ...body })
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok) throw new Error(`${response.status} ${bytes.toString()}`)
  return { headers: response.headers, bytes }
}

/** All but the last line, and the last line. */
function split(bytes: Buffer): { readonly rows: Buffer; readonly end: string } {
  const at = bytes.lastIndexOf('\n', bytes.length - 2) + 1
  return { rows: bytes.subarray(0, at), end: bytes.subarray(at).toString().trimEnd() }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

async function duckdb(bytes: Buffer, extension: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const folder = await openTempFolder()
  const file = join(folder.path, `rows.${extension}`)
  writeFileSync(file, bytes)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql.replaceAll('FILE', `'${file}'`))).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
    await folder.remove()
  }
}

describe('logs as NDJSON', () => {
  it('are the records of a search, with a checksum over them', async () => {
    const { headers, bytes } = await exported('logs', { query: 'level:error service:s0', order: 'asc' })
    const { rows, end } = split(bytes)
    const found = await service.ok(
      service.post('/api/v1/logs/query', { ...WINDOW, query: 'level:error service:s0', order: 'asc' })
    )
    const lines = rows
      .toString()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as object)
    expect(lines).toEqual(found['logs'])
    expect(lines).toHaveLength(10)
    expect(JSON.parse(end)).toMatchObject({ complete: true, rows: 10, sha256: sha256(rows), warnings: [] })
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    expect(headers.get('content-disposition')).toBe('attachment; filename="logs-default.ndjson"')
  })

  it('state what a limit cut', async () => {
    const { end } = split((await exported('logs', { limit: 7 })).bytes)
    expect(JSON.parse(end)).toMatchObject({
      complete: false,
      rows: 7,
      warnings: [expect.stringContaining('the limit of 7 rows')]
    })
  })
})

describe('logs as CSV', () => {
  it('have no cell that a spreadsheet runs, and are read back as they were by a program', async () => {
    const { rows, end } = split((await exported('logs', { format: 'csv', order: 'asc' })).bytes)
    expect(end).toMatch(/^# complete=true rows=300 sha256=/)
    expect(end).toContain(sha256(rows))
    expect(rows.toString()).toContain(`"'=HYPERLINK(""http://evil.example"",""open; me"")"`)
    const raw = split((await exported('logs', { format: 'csv', order: 'asc', escape_formulas: false })).bytes).rows
    const sql = `SELECT count(*) AS rows, min(message) AS first, max(log_fields->>'$.order.id') AS last
      FROM read_csv(FILE, header = true, quote = '"', escape = '"', delim = ',', new_line = '\\r\\n', types = {'log_fields': 'JSON'})`
    expect(await duckdb(raw, 'csv', sql)).toEqual([{ rows: '300', first: HOSTILE, last: '99' }])
  })

  it('have the columns that are requested, free fields by their paths', async () => {
    const columns = [
      'timestamp',
      'log_fields.order.id',
      'order.tags',
      'tags.env',
      'tags.order.id',
      'large',
      '__proto__',
      'pattern'
    ]
    const { rows } = split((await exported('logs', { format: 'csv', order: 'asc', columns, limit: 2 })).bytes)
    const [header, first] = rows.toString().split('\r\n')
    expect(header).toBe(columns.join(','))
    expect(first).toMatch(/^[^,]+Z,0,"\[""a"",""b""\]",test,,9007199254740993,,[0-9a-f]{20}$/)
  })

  it.each([
    [{ format: 'csv', columns: ['message', 'message'] }],
    [{ format: 'ndjson', columns: ['message'] }],
    [{ format: 'csv', columns: [] }],
    [{ format: 'xlsx' }],
    [{ query: 'level:' }],
    [{ limit: 0 }]
  ])('are refused as %j', async body => {
    const [status] = await service.fault(service.post('/api/v1/logs/export', { ...WINDOW, ...body }))
    expect(status).toBe(400)
  })
})

describe('logs as Parquet', () => {
  it('have the types of their fields', async () => {
    const { bytes } = await exported('logs', { format: 'parquet' })
    const sql = `SELECT count(*) AS rows, epoch_ns(min(timestamp)) AS first, sum(severity_number) AS severity,
      count(trace_id) AS traces, sum((log_fields->>'$.order.id')::INT) AS ids, bool_or(_truncated) AS truncated FROM read_parquet(FILE)`
    expect(await duckdb(bytes, 'parquet', sql)).toEqual([
      {
        ...{ rows: '300', first: String(BigInt(startMs) * 1_000_000n), severity: String(270 * 9 + 30 * 17) },
        ...{ traces: '0', ids: String((LOGS * (LOGS - 1)) / 2), truncated: false }
      }
    ])
    const [metadata] = await duckdb(bytes, 'parquet', 'SELECT decode(value) AS value FROM parquet_kv_metadata(FILE)')
    const end = JSON.parse(String(metadata!['value'])) as Readonly<Record<string, unknown>>
    expect(end).toMatchObject({ complete: true, rows: 300 })
    const footer = bytes.readUInt32LE(bytes.length - 8)
    expect(end['sha256']).toBe(sha256(bytes.subarray(0, bytes.length - 8 - footer)))
  })
})

describe('spans', () => {
  it('are exported one by one, with their events', async () => {
    const body = { status: 'error', min_duration: '3ms', attributes: undefined, order: 'asc' }
    const { rows, end } = split((await exported('spans', body)).bytes)
    const spans = rows
      .toString()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Readonly<Record<string, unknown>>)
    expect(spans.map(span => span['duration_ns'])).toEqual([3_000_000, 5_000_000, 7_000_000, 9_000_000])
    expect(spans[0]).toMatchObject({
      ...{ namespace: 'default', service: 'cart', name: 'GET /cart', kind: 'server', attributes: { 'http.size': 200 } },
      events: [{ name: 'retry', attributes: { n: 1 } }]
    })
    expect(JSON.parse(end)).toMatchObject({ complete: true, rows: 4 })
  })

  it('are a Parquet file, too', async () => {
    const { bytes } = await exported('spans', { format: 'parquet', columns: ['trace_id', 'duration', 'http.size', 'events'] })
    const sql = `SELECT count(*) AS rows, sum(duration) AS ns, sum("http.size"::INT) AS size, min(events->>'$[0].name') AS event
      FROM read_parquet(FILE)`
    expect(await duckdb(bytes, 'parquet', sql)).toEqual([{ rows: '10', ns: '55000000', size: '4500', event: 'retry' }])
  })

  it('have no columns of events and links by path', async () => {
    const body = { ...WINDOW, format: 'csv', columns: ['event.n'] }
    expect(await service.fault(service.post('/api/v1/spans/export', body))).toEqual([400, 'invalid_field'])
  })
})
