import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { freePort } from '../../bench/service/free-port.js'
import { ServiceProcess } from '../../bench/service/service-process.js'
import { Session } from '../../bench/service/session.js'
import { openTempFolder } from '../support/temp-folder.js'
import { TINY_LIMITS, TUNED_ENTRY } from './crash-site.js'
import { checkResults, checkNewLogs, checkRemovals, checkSegments } from './sync-rules.js'
import { parseTrace, STRACE } from './system-calls.js'
import type { SystemCall } from './system-calls.js'

const TELEMETRY_LOG = 'hot.duckdb.wal'
const JOURNAL = /\/journal\/\d+\.log$/
const SPOOL = /\/spool\/\d{16}\.spool$/
const CONTROL_LOG = /control\.db-wal$/
const REQUESTS = 12
const SEALED_REQUESTS = 40
const LOGS = 150

/** Runs the service under the tracer while `work` talks to it, and gives the system calls of all its processes. */
async function traced(
  limits: object,
  work: (service: ServiceProcess) => Promise<void>,
  args: readonly string[] = []
): Promise<SystemCall[]> {
  const folder = await openTempFolder()
  const file = join(folder.path, 'trace')
  try {
    const service = await ServiceProcess.start({
      dataDir: join(folder.path, 'data'),
      entry: TUNED_ENTRY,
      wrapper: [...STRACE, '-o', file],
      args,
      env: { STORE_LIMITS_FOR_TESTS: JSON.stringify(limits), ...(args.length > 0 ? { ALIDADE_INFLUXDB_TOKEN: 'none' } : {}) },
      readyTimeoutMs: 60_000
    })
    try {
      await work(service)
    } finally {
      await service.stop()
    }
    return parseTrace(readFileSync(file, 'utf8'))
  } finally {
    await folder.remove()
  }
}

async function post(service: ServiceProcess, path: string, body: object): Promise<void> {
  const reply = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'x-api-key': service.firstRun().apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  const text = await reply.text()
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`)
}

const without = (calls: readonly SystemCall[], path: RegExp): SystemCall[] =>
  calls.filter(call => !(call.name.includes('sync') && path.test(call.path)))

describe('what is synced before a response', () => {
  let calls: SystemCall[] = []

  beforeAll(async () => {
    // Fails when the tracer is missing: Debian's package is strace.
    execFileSync('strace', ['-V'], { stdio: 'ignore' })
    calls = await traced({}, async service => {
      const session = await Session.operator(service)
      for (let i = 0; i < REQUESTS; i++) {
        await post(service, '/api/v1/logs', { message: `traced ${i}` })
        await post(service, '/api/v1/ingest', { name: 'traced', value: i })
        await post(service, '/api/v1/apm/rum', { page_url: 'https://shop.example/' })
        await session.makeNamespace(`traced-${i}`)
      }
    })
  }, 120_000)

  it.each([
    ['logs, points and page views', { responsePattern: /\\"ingest_id\\"/, file: JOURNAL }, 3 * REQUESTS],
    ['a new namespace', { responsePattern: /HTTP\/1\.1 201 /, file: CONTROL_LOG }, REQUESTS]
  ])('has the log of %s on disk before the client hears of it', (_what, promised, count) => {
    expect(checkResults(calls, promised)).toEqual({ checked: count, violations: [] })
  })

  it('would see it if the syncs were left out', () => {
    const doctored = without(calls, JOURNAL)
    expect(doctored.length).toBeLessThan(calls.length)
    expect(checkResults(doctored, { responsePattern: /\\"ingest_id\\"/, file: JOURNAL }).violations).toHaveLength(3 * REQUESTS)
  })
})

describe('what is synced before records are acknowledged that wait for a store', () => {
  let calls: SystemCall[] = []

  beforeAll(async () => {
    const stranger = ['--influxdb-url', `http://127.0.0.1:${await freePort()}`, '--influxdb-org', 'none']
    calls = await traced(
      {},
      async service => {
        for (let i = 0; i < REQUESTS; i++) await post(service, '/api/v1/ingest', { name: 'traced', value: i })
      },
      stranger
    )
  }, 120_000)

  it('has them, and the name of their file, on disk before the client hears of it', () => {
    const promised = { responsePattern: /\\"spooled\\":1/, file: SPOOL }
    expect(checkResults(calls, promised)).toEqual({ checked: REQUESTS, violations: [] })
    expect(checkResults(without(calls, SPOOL), promised).violations).toHaveLength(REQUESTS)
    expect(checkNewLogs(calls, promised)).toEqual({ checked: 1, violations: [] })
    expect(checkNewLogs(without(calls, /\/spool$/), promised).violations).toHaveLength(1)
  })
})

describe('what is synced before a segment counts', () => {
  let calls: SystemCall[] = []

  beforeAll(async () => {
    calls = await traced({ ...TINY_LIMITS, checkpointBytes: 50_000, journalFileBytes: 40_000, applyRows: 300 }, async service => {
      for (let i = 0; i < SEALED_REQUESTS; i++) {
        const logs = Array.from({ length: LOGS }, (_, n) => ({ message: `sealed ${i} ${n}` }))
        await post(service, '/api/v1/logs/batch', { logs })
      }
    })
  }, 120_000)

  it('has each segment, its folder and every new folder on disk before the manifest names it', () => {
    const findings = checkSegments(calls, TELEMETRY_LOG)
    expect(findings.checked).toBeGreaterThan(0)
    expect(findings.violations).toEqual([])
  })

  it('has the name of each journal file on disk before the next response', () => {
    const promised = { responsePattern: /\\"ingest_id\\"/, file: JOURNAL }
    const { checked, violations } = checkNewLogs(calls, promised)
    expect(checked).toBeGreaterThan(1)
    expect(violations).toEqual([])
    expect(checkNewLogs(without(calls, /\/journal$/), promised).violations).toHaveLength(checked)
  })

  it('removes no journal file before the database has what was in it', () => {
    const { checked, violations } = checkRemovals(calls, JOURNAL, TELEMETRY_LOG)
    expect(checked).toBeGreaterThan(1)
    expect(violations).toEqual([])
    expect(checkRemovals(without(calls, /hot\.duckdb\.wal$/), JOURNAL, TELEMETRY_LOG).violations).toHaveLength(checked)
  })

  it.each([
    ['content', /\.parquet$/],
    ['folders', /\/segments(\/[^.]*)?$/]
  ])('would see it if the syncs of their %s were left out', (_what, path) => {
    const { checked, violations } = checkSegments(without(calls, path), TELEMETRY_LOG)
    expect(checked).toBeGreaterThan(0)
    expect(violations.length).toBeGreaterThanOrEqual(checked)
  })
})
