import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { freePort } from '../../bench/service/free-port.js'
import { OtlpGrpcClient } from '../support/otlp-grpc.js'
import {
  foundIn,
  foundInFolder,
  otlpLog,
  otlpSpan,
  rulesAgainst,
  type Secrets,
  secretsOf,
  sentenceOf
} from '../support/planted-secrets.js'
import { type RunningService, startService } from '../support/running-service.js'
import { openTempFolder } from '../support/temp-folder.js'

const JSON_TYPE = { 'content-type': 'application/json' }
const PROTOBUF = { 'content-type': 'application/x-protobuf' }

let folder: Awaited<ReturnType<typeof openTempFolder>>
let service: RunningService
let grpc: OtlpGrpcClient
let session: { readonly authorization: string }
const keys = new Map<string, string>()
const ids = new Map<string, string>()

async function order(method: string, path: string, json?: object): Promise<Record<string, unknown>> {
  const result = await service.api(path, { method, headers: session, ...(json && { json }) })
  if (result.status >= 300) throw new Error(`${method} ${path}: ${result.status} ${result.text}`)
  return result.json
}

beforeAll(async () => {
  folder = await openTempFolder()
  const flags = ['--otlp-grpc-port', String(await freePort()), '--otlp-http-port', String(await freePort())]
  service = await startService({
    flags,
    dataDir: folder.path,
    env: { ALIDADE_SECRETS_KEY: 'a key of thirty-two characters....' }
  })
  session = await service.login()
  grpc = new OtlpGrpcClient(service.app.otlpGrpcUrl!)
  for (const name of ['ruled', 'open']) {
    ids.set(name, String((await order('POST', '/api/v1/namespaces', { name }))['id']))
    const key = await order('POST', '/api/v1/keys', { name, kind: 'ingest', namespaces: [ids.get(name)] })
    keys.set(name, String(key['key']))
  }
  await order('PUT', `/api/v1/namespaces/${ids.get('ruled')!}/log-rules`, rulesAgainst(DOORS.map((_, i) => ruled(i))))
}, 60_000)
afterAll(async () => {
  grpc?.close()
  await service?.close()
  await folder?.remove()
})

/** Names of members are short. */
const emailOf = (sentence: string): string => /ada\d+@\S+/.exec(sentence)![0]

/** Every door that takes what people write, with the sentence wherever it may be. */
const DOORS: readonly (readonly [name: string, send: (ns: string, sentence: string) => Promise<unknown>])[] = [
  ['a log', (ns, sentence) => post(ns, '/api/v1/logs', { message: sentence, level: sentence.slice(0, 60), trace_id: sentence })],
  [
    'logs with fields and defaults',
    (ns, sentence) =>
      post(ns, '/api/v1/logs/batch', {
        defaults: {
          service: sentence,
          host: sentence,
          source: sentence,
          environment: sentence,
          tags: { [emailOf(sentence)]: sentence }
        },
        logs: [{ message: 'x', log_fields: { a: { b: [sentence, { c: sentence }] } }, other: sentence }]
      })
  ],
  [
    'a log of another logger',
    (ns, sentence) => post(ns, '/api/v1/logs', { msg: 'x', level: 50, err: { stack: `E: ${sentence}\n  at f (a.js:1:2)` } })
  ],
  ['a log longer than the limit', (ns, sentence) => post(ns, '/api/v1/logs', { message: `${'x '.repeat(131_050)}${sentence}` })],
  [
    'a repeat',
    (ns, sentence) => post(ns, '/api/v1/logs', { message: sentence, [emailOf(sentence)]: 1 }, { 'idempotency-key': `k-${ns}` })
  ],
  ['NDJSON', (ns, sentence) => raw(ns, '/api/v1/logs/batch', JSON.stringify({ message: sentence }), 'application/x-ndjson')],
  [
    'a batch of a stream',
    (ns, sentence) => {
      const place = { seq: 1, from: 0, to: 1, first_line: 1, lines: 1, sealed_at: new Date().toISOString() }
      const stream = { id: `redacted-${ns}`, path: '/var/log/a.log', kind: 'file', ...place }
      return post(ns, '/api/v1/logs/batch', { stream, logs: [{ message: sentence }] })
    }
  ],
  ['logs in OTLP over HTTP', (ns, sentence) => raw(ns, '/api/v1/otlp/v1/logs', otlpLog(sentence), PROTOBUF['content-type'])],
  ['logs in OTLP over gRPC', (ns, sentence) => grpc.export('logs', otlpLog(sentence), { 'x-api-key': keys.get(ns)! })],
  [
    'spans in OTLP',
    (ns, sentence) => post(ns, '/api/v1/otlp/v1/traces', otlpSpan(sentence, (ns === 'ruled' ? 'a' : 'b').repeat(32)))
  ],
  [
    'an error',
    (ns, sentence) =>
      post(ns, '/api/v1/apm/errors', { service: sentence, message: sentence, stack: sentence, tags: { a: sentence } })
  ],
  [
    'a page view',
    (ns, sentence) =>
      post(ns, '/api/v1/apm/rum', { page_url: `https://x.example/?q=${sentence}`, page_title: sentence, release: sentence })
  ]
]

async function raw(ns: string, path: string, body: string | Buffer, type: string, headers: object = {}): Promise<unknown> {
  const result = await service.api(path, {
    method: 'POST',
    headers: { 'x-api-key': keys.get(ns)!, 'content-type': type, ...headers },
    body
  })
  expect(result.status).toBeLessThan(300)
  return result.text
}

function post(ns: string, path: string, json: object, headers: object = {}): Promise<unknown> {
  return raw(ns, path, JSON.stringify(json), JSON_TYPE['content-type'], headers)
}

/** Everything that readers of a namespace see. */
async function everything(ns: string): Promise<string> {
  const headers = { ...session, 'x-namespace-id': ids.get(ns)! }
  const read = async (method: string, path: string, json?: object): Promise<string> =>
    (await service.api(path, { method, headers, ...(json && { json }) })).text
  return (
    await Promise.all([
      read('POST', '/api/v1/logs/query', { limit: 1_000, start: 'now-1h' }),
      read('POST', '/api/v1/logs/facets', { start: 'now-1h' }),
      read('GET', '/api/v1/logs/patterns?start=now-1h&limit=100'),
      read('GET', `/api/v1/traces/${(ns === 'ruled' ? 'a' : 'b').repeat(32)}`),
      read('GET', '/api/v1/apm/errors?start=now-1h'),
      read('GET', '/api/v1/apm/services?start=now-1h'),
      read('GET', '/api/v1/apm/rum?start=now-1h&group_by=release'),
      read('GET', '/api/v1/streams'),
      read('GET', '/api/v1/otlp/status')
    ])
  ).join('\n')
}

/** What the door of this number is given in the namespace with rules, and in the one without. */
function ruled(door: number): Secrets {
  return secretsOf(String(2_000 + door))
}
function open(door: number): Secrets {
  return secretsOf(String(1_000 + door))
}

describe('secrets that every door is given', () => {
  it.each(DOORS.map(([name, send], door) => ({ name, send, door })))('$name', async ({ send, door }) => {
    await send('ruled', sentenceOf(ruled(door)))
    await send('open', sentenceOf(open(door)))
    await service.settle()
    expect(foundIn(await everything('ruled'), ruled(door))).toEqual([])
    // What is not found there would have been found: the other namespace has no rules.
    expect(foundIn(await everything('open'), open(door))).toContain(open(door).card)
  })

  it('are in no file of the data folder, while the service runs and after it', async () => {
    const all = DOORS.map((_, door) => [...Object.values(ruled(door)), open(door).card])
    const controls = DOORS.map((_, door) => open(door).card)
    expect([...(await foundInFolder(folder.path, all.flat()))].sort()).toEqual(controls.sort())
    await service.close()
    expect((await foundInFolder(folder.path, all.flat())).filter(secret => !controls.includes(secret))).toEqual([])
  })
})
