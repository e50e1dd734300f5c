import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ReadingService, startReadingService } from '../support/reading-service.js'
import { snappyBlock, writeRequest } from '../support/remote-write.js'

// What Prometheus 3.15 returns to the letter: numbers and times as they are written, and what is wrong with a parameter.

/** A day ago, so that nothing is found by looking at the last hour. */
const AT_S = Math.floor(Date.now() / 60_000) * 60 - 86_400

let service: ReadingService
beforeAll(async () => {
  service = await startReadingService({ flags: ['--rate-queries', '1000'] })
  const values = [1e-7, -9.99e-7, 1e-6, 1e20, 1e21, -1.5e300, 5e-324, -0]
  const series = values.map((value, i) => writeRequest({ __name__: 'odd', i: String(i) }, [AT_S * 1_000 - 250, value]))
  const reply = await fetch(`${service.url}/api/v1/write`, {
    method: 'POST',
    headers: {
      'x-api-key': service.first.ingestKey,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy'
    },
    body: new Uint8Array(snappyBlock(Buffer.concat(series)))
  })
  expect(reply.status).toBe(204)
})
afterAll(() => service.close())

type Params = Readonly<Record<string, string>>

async function textOf(path: string, params: Params, isForm = false): Promise<string> {
  const form = new URLSearchParams(params)
  const url = `${service.url}/api/v1/prometheus/api/v1/${path}`
  const reply = isForm
    ? await fetch(url, { method: 'POST', headers: service.session, body: form })
    : await fetch(`${url}?${form.toString()}`, { headers: service.session })
  return `${reply.status} ${await reply.text()}`
}

const failed = (status: number, errorType: string, error: string) =>
  `${status} ${JSON.stringify({ status: 'error', errorType, error })}`

describe('numbers and times', () => {
  const time = String(AT_S)
  it.each([
    ['query', { query: 'odd{i="0"}', time: `${AT_S}.5` }, `"value":[${AT_S}.500,"1e-07"]`],
    ['query', { query: 'odd{i="0"}[1m]', time }, `"values":[[${AT_S - 1}.750,"1e-07"]]`],
    ['query', { query: 'odd{i="1"}', time }, '"-9.99e-07"'],
    ['query', { query: 'odd{i="2"}', time }, '"0.000001"'],
    ['query', { query: 'odd{i="3"}', time }, '"100000000000000000000"'],
    ['query', { query: 'odd{i="4"}', time }, '"1e+21"'],
    ['query', { query: 'odd{i="5"}', time }, '"-1.5e+300"'],
    ['query', { query: 'odd{i="6"}', time }, '"5e-324"'],
    ['query', { query: 'odd{i="7"}', time }, '"-0"'],
    ['query', { query: 'count_values("v", odd{i="0"})', time }, '{"v":"0.0000001"}'],
    ['query', { query: '1e-7', time: '1.5' }, '{"resultType":"scalar","result":[1.5,"0.0000001"]}'],
    ['query', { query: '"a"', time: '-1.5' }, '{"resultType":"string","result":[-1.5,"a"]}'],
    ['query', { query: 'vector(1)', time: '-1.5' }, '"value":[-1.500,"1"]'],
    ['query_range', { query: '1e21', start: '0', end: '0.07', step: '0.05' }, '"values":[[0,"1e+21"],[0.050,"1e+21"]]']
  ])('of %s %j are written as Prometheus does', async (path, params, text) => {
    expect(await textOf(path, params as Params)).toContain(text)
  })
})

describe('parameters that are wrong', () => {
  const range = { query: 'odd', start: '0', end: '11000', step: '1' }
  const parameter = (name: string, text: string) => failed(400, 'bad_data', `invalid parameter "${name}": ${text}`)
  it.each<[string, Params, string]>([
    ['query', {}, parameter('query', 'unknown position: parse error: no expression found in input')],
    ['query', { query: '1', time: 'soon' }, parameter('time', 'cannot parse "soon" to a valid timestamp')],
    ['query', { query: '1', limit: '-1' }, parameter('limit', 'limit must be non-negative')],
    ['query', { query: 'x{a=~"("}' }, parameter('query', '1:3: parse error: error parsing regexp: missing closing ): `(`')],
    ['query_range', {}, parameter('start', 'cannot parse "" to a valid timestamp')],
    ['query_range', { ...range, start: '11001' }, parameter('end', 'end timestamp must not be before start time')],
    ['query_range', { ...range, step: 'c' }, parameter('step', 'cannot parse "c" to a valid duration')],
    ['query_range', { ...range, step: '1e18' }, parameter('step', 'cannot parse "1e18" to a valid duration')],
    [
      'query_range',
      { ...range, step: '0' },
      parameter('step', 'zero or negative query resolution step widths are not accepted. Try a positive integer')
    ],
    [
      'query_range',
      { ...range, end: '11001' },
      failed(
        400,
        'bad_data',
        'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)'
      )
    ],
    ['series', {}, failed(400, 'bad_data', 'no match[] parameter provided')],
    [
      'series',
      { 'match[]': '{}' },
      parameter('match[]', '1:1: parse error: vector selector must contain at least one non-empty matcher')
    ],
    [
      'labels',
      { 'match[]': '{a=~"b*"}' },
      parameter('match[]', '1:1: parse error: vector selector must contain at least one non-empty matcher')
    ],
    ['series', { 'match[]': 'odd[5m]' }, parameter('match[]', '1:4: parse error: unexpected "["')],
    ['series', { 'match[]': 'odd offset 5m' }, parameter('match[]', '1:5: parse error: unexpected <offset>')],
    ['series', { 'match[]': 'sum(odd)' }, parameter('match[]', '1:4: parse error: unexpected "("')],
    ['series', { 'match[]': '1' }, parameter('match[]', '1:1: parse error: unexpected number "1"')],
    ['label/U__/values', {}, failed(400, 'bad_data', 'invalid label name: ""')],
    ['metadata', { limit: 'x' }, parameter('limit', '"x" is not an integer')],
    ['rules', { type: 'x' }, parameter('type', 'not supported value "x"')],
    [
      'query_exemplars',
      { query: 'odd', start: '5', end: '4' },
      failed(400, 'bad_data', 'end timestamp must not be before start timestamp')
    ]
  ])("of %s %j are reported in Prometheus's words", async (path, params, expected) => {
    expect(await textOf(path, params)).toBe(expected)
  })
})

it('notes that a metric might not be a counter where neither its name nor its sender reports it', async () => {
  const metrics = [0, 1].flatMap(i =>
    (['counter', 'gauge'] as const).map(type => {
      return { name: `a.${type}`, type, value: i, timestamp_ns: `${AT_S - 30 + i * 15}000000000` }
    })
  )
  await service.write('/api/v1/ingest/batch', { metrics })
  const rateOf = (name: string) => textOf('query', { query: `rate({"${name}"}[1m])`, time: String(AT_S) })
  expect(await rateOf('a.counter')).not.toContain('infos')
  const note = 'PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket: "a.gauge" (1:6)'
  expect(await rateOf('a.gauge')).toContain(`"infos":${JSON.stringify([note])}`)
})

describe('what Prometheus takes', () => {
  it('11,001 points, as it counts the steps between them', async () => {
    const params = { query: 'vector(1)', start: '0', end: '11000', step: '1' }
    expect(await textOf('query_range', params)).toMatch(/^200 .*\[11000,"1"\]/)
  })

  it('a lookback that is not a length, and does not heed it', async () => {
    for (const lookback_delta of ['0', '-300'])
      expect(await textOf('query', { query: 'odd{i="2"}', time: String(AT_S), lookback_delta })).toContain('"0.000001"')
  })

  it('lists of series and labels without a time: all that are kept', async () => {
    expect(await textOf('series', { 'match[]': 'odd{i="0"}' })).toBe(
      '200 {"status":"success","data":[{"__name__":"odd","i":"0"}]}'
    )
    expect(await textOf('label/i/values', { limit: '1', 'match[]': 'odd' })).toContain('"data":["0"]')
    expect(await textOf('labels', {}, true)).toBe('200 {"status":"success","data":["__name__","i"]}')
    expect(await textOf('labels', { start: String(AT_S + 3_600) })).toBe('200 {"status":"success","data":[]}')
  })

  it('a limit of metadata, of which a negative one means no limit', async () => {
    expect(await textOf('metadata', { limit: '0' })).toMatch(/^200 \{"status":"success","data":\{\}/)
    expect(await textOf('metadata', { limit: '-1' })).toContain('"odd":[{"type":"gauge","help":"","unit":""}]')
  })

  it('a parameter in the form before the same one in the path', async () => {
    expect(await textOf('query?query=1', { query: '2', time: '0' }, true)).toContain('[0,"2"]')
  })
})
