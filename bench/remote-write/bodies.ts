import snappy from 'snappyjs'
import { double, int, message } from '../../test/support/protobuf.js'

/** What one round sends. */
export interface RoundPlan {
  /** Each has series of its own, since samples of a series must come in order. */
  readonly connections: number
  readonly seriesPerConnection: number
  readonly requestsPerConnection: number
  readonly samplesPerRequest: number
  /** Time of the first sample; each sweep over the series is a second later. */
  readonly startMs: number
}

/** The bodies of each connection, in the order in which they are to be sent: remote write 1.0, one sample a series. */
export function remoteWriteBodies(plan: RoundPlan): readonly (readonly Buffer[])[] {
  return Array.from({ length: plan.connections }, (_, connection) => bodiesOf(plan, connection))
}

function bodiesOf(plan: RoundPlan, connection: number): readonly Buffer[] {
  const heads = Array.from({ length: plan.seriesPerConnection }, (_, i) => labelsOf(connection, i))
  let sample = 0
  return Array.from({ length: plan.requestsPerConnection }, () => {
    const series = Array.from({ length: plan.samplesPerRequest }, () => {
      const at = sample++
      const sweep = Math.floor(at / heads.length)
      const point = message(2, double(1, at * 1.5), int(2, BigInt(plan.startMs + sweep * 1000)))
      return message(1, heads[at % heads.length]!, point)
    })
    return Buffer.from(snappy.compress(Buffer.concat(series)))
  })
}

/** A name and nine labels, about as many and as long as those of a scraped target. */
function labelsOf(connection: number, i: number): Buffer {
  const labels = {
    __name__: `http_requests_${i % 20}_total`,
    cluster: 'eu-west-1',
    code: i % 2 === 0 ? '200' : '500',
    handler: `/api/v1/orders/${i % 7}`,
    instance: `10.0.${connection}.${Math.floor(i / 20) % 250}:9100`,
    job: 'shop',
    method: i % 3 === 0 ? 'GET' : 'POST',
    namespace: 'default',
    pod: `shop-7d9f6c5b4-${Math.floor(i / 20)}`,
    series: String(i)
  }
  return Buffer.concat(Object.entries(labels).map(([name, value]) => message(1, message(1, name), message(2, value))))
}
