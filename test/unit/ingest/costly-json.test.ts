import { describe, expect, it } from '@jest/globals'
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.js'
import { parseJson } from '../../../src/wire/json/lossless-json.js'
import { OTLP_LOGS, OtlpReader } from '../../../src/ingest/read-otlp.js'
import { RecordReader, type ReadRecords, type Shape, UnreadableItem } from '../../../src/ingest/read-records.js'
import { FairScheduler } from '../../../src/ingest/fair-scheduler.js'

const BODY_BYTES = DEFAULT_INGEST_LIMITS.bodyBytes
const ONE: Shape = { kind: 'one' }
const MANY: Shape = { kind: 'many', key: 'logs' }
/** The code before took 450 to 1,500 ms for these; a step takes 10 to 50 ms. */
const MAX_STEP_CPU_MS = 200
/** CPU time is that of the process, threads of the garbage collector included: the least of so many counts. */
const ATTEMPTS = 3

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Turns that measure the CPU time between two of them. */
class MeasuredTurns extends FairScheduler {
  longestMs = 0
  #sinceMs = cpuMs()

  constructor() {
    super(DEFAULT_INGEST_LIMITS.largeBodiesBytes)
  }

  override async next(): Promise<void> {
    this.mark()
    await super.next()
    this.#sinceMs = cpuMs()
  }

  mark(): void {
    this.longestMs = Math.max(this.longestMs, cpuMs() - this.#sinceMs)
  }
}

/** What the body was read as, or the code of its refusal, and the longest step. */
async function costOf(
  make: (scheduler: FairScheduler) => ReadRecords,
  body: string
): Promise<{ readonly read: unknown; readonly stepMs: number }> {
  const bytes = Buffer.from(body)
  const scheduler = new MeasuredTurns()
  const reading = async (): Promise<readonly unknown[]> => (await make(scheduler).read(bytes, 'json')).items
  const read = await reading().then(
    items => items.map(item => (item instanceof UnreadableItem ? item.code : 'record')),
    (error: { code?: string }) => error.code
  )
  scheduler.mark()
  return { read, stepMs: scheduler.longestMs }
}

const reader = (shape: Shape) => (scheduler: FairScheduler) => new RecordReader(shape, DEFAULT_INGEST_LIMITS, scheduler)
const otlp = (scheduler: FairScheduler): ReadRecords => new OtlpReader(OTLP_LOGS, DEFAULT_INGEST_LIMITS.otlpRecords, scheduler)
const wide = `${'[],'.repeat(BODY_BYTES / 3 - 100)}[]`
const objects = `${'{},'.repeat(BODY_BYTES / 3 - 100)}{}`
const deep = `${'['.repeat(BODY_BYTES / 2 - 100)}${']'.repeat(BODY_BYTES / 2 - 100)}`
const names = Array.from({ length: 700_000 }, (_, i) => `"k${i}":1`).join(',')
const inRecords = (what: string): string => `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${what}]}]}]}`

describe('JSON that is cheap to send and costly to parse', () => {
  it.each<[string, (scheduler: FairScheduler) => ReadRecords, string, unknown]>([
    ['a record of empty arrays', reader(ONE), `{"message":"x","log_fields":{"a":[${wide}]}}`, ['record_too_large']],
    ['a record of empty objects', reader(ONE), `{"message":"x","log_fields":{"a":[${objects}]}}`, ['record_too_large']],
    ['a deep record', reader(ONE), `{"message":"x","log_fields":{"a":${deep}}}`, ['record_too_large']],
    ['a record of a million names', reader(ONE), `{"message":"x",${names}}`, ['record_too_large']],
    ['a record of arrays in a batch', reader(MANY), `{"logs":[{"message":"x","a":[${wide}]}]}`, ['record_too_large']],
    ['a deep record in a batch', reader(MANY), `{"logs":[{"message":"x","a":${deep}}]}`, ['record_too_large']],
    ['a batch of arrays', reader(MANY), `{"logs":[${wide}]}`, 'payload_too_large'],
    ['a batch next to arrays', reader(MANY), `{"a":[${wide}],"logs":[]}`, 'record_too_large'],
    ['a batch next to deep arrays', reader(MANY), `{"a":${deep},"logs":[]}`, 'record_too_large'],
    ['an OTLP record of arrays', otlp, inRecords(`{"body":{"arrayValue":{"values":[${objects}]}}}`), 'invalid_field'],
    ['a deep OTLP record', otlp, inRecords(`{"body":${deep}}`), 'invalid_field'],
    ['an OTLP resource of arrays', otlp, `{"resourceLogs":[{"resource":{"attributes":[${objects}]}}]}`, 'invalid_field'],
    ['OTLP with escaped names', otlp, `{"r\\u0065sourceLogs":[${objects}]}`, 'invalid_field'],
    ['a string of lone surrogates', reader(ONE), `{"message":"${'\\ud800'.repeat(BODY_BYTES / 6 - 100)}"}`, ['record']],
    ['a number of ten million digits', reader(ONE), `{"n":${'9'.repeat(BODY_BYTES - 100)}}`, ['record']],
    ['digits behind a letter', reader(ONE), `{"n":"a${'1'.repeat(BODY_BYTES - 100)}"}`, ['record']]
  ])('%s', async (_name, make, body, read) => {
    const costs = []
    for (let i = 0; i < ATTEMPTS; i++) costs.push(await costOf(make, body))
    expect(costs.map(cost => cost.read)).toEqual(costs.map(() => read))
    expect(Math.min(...costs.map(({ stepMs }) => stepMs))).toBeLessThan(MAX_STEP_CPU_MS)
  })

  it('lone surrogates of names are repaired too, and no name reaches the prototype', () => {
    const parsed = parseJson(Buffer.from('{"a\\ud800":"\\udc00x","__proto__":"\\ud83d\\ude00"}')) as object
    expect(Object.entries(parsed)).toEqual([
      ['a\ufffd', '\ufffdx'],
      ['__proto__', '\u{1f600}']
    ])
  })
})
