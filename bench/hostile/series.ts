import { Connection, requestHead, type Target } from '../load/connection.js'
import { inLanes } from '../load/in-lanes.js'

const SCRAPE_S = 30
const BATCH = 2_000
const LANES = 4
const BUCKETS = ['0.01', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '+Inf']

/** Counters `x` (of two parts in three) and `y`, and histograms `h`: about so many series, as heads of points in JSON. */
function heads(count: number): readonly string[] {
  const third = Math.ceil(count / 3)
  const head = (name: string, labels: object): string =>
    `{"name":"${name}","type":"counter","labels":${JSON.stringify({ service: 'demo', ...labels })}`
  const plain = (name: string, length: number): string[] =>
    Array.from({ length }, (_, i) => head(name, { a: `a${i % 20}`, b: `b${Math.floor(i / 20)}` }))
  const buckets = Array.from({ length: Math.ceil(third / BUCKETS.length) }, (_, i) =>
    BUCKETS.map(le => head('h_bucket', { a: `a${i}`, le }))
  )
  return [...plain('x', third), ...plain('y', third), ...buckets.flat()]
}

function* bodies(series: number, endS: number, seconds: number): Generator<Buffer> {
  const known = heads(series)
  for (let atS = endS - seconds; atS <= endS; atS += SCRAPE_S) {
    for (let from = 0; from < known.length; from += BATCH) {
      const points = known
        .slice(from, from + BATCH)
        .map((head, i) => `${head},"value":${(atS % 100_000) * (1 + ((from + i) % 97))},"timestamp_ns":${atS}000000000}`)
      yield Buffer.from(`{"metrics":[${points.join(',')}]}`)
    }
  }
}

/** Writes about so many series, a scrape each 30 s until now, into the namespace of the key. Returns points. */
export async function fillSeries(target: Target, series: number, seconds: number): Promise<number> {
  const endS = Math.floor(Date.now() / 1_000)
  await inLanes([...bodies(series, endS, seconds)], LANES, () => {
    const connection = new Connection(target)
    const send = async (body: Buffer): Promise<void> => {
      const { status, body: text } = await connection.send(requestHead(target, '/api/v1/ingest/batch', body.length), body)
      if (status !== 200) throw new Error(`filling: ${status} ${text.slice(0, 300)}`)
    }
    return { send, close: () => connection.close() }
  })
  return heads(series).length * (Math.floor(seconds / SCRAPE_S) + 1)
}
