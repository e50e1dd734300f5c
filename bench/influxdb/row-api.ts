import { InfluxDB } from '@influxdata/influxdb-client'
import type { ServerAccess } from '../../test/servers/variables.js'

/** All samples of a bucket through the client's row API into one pair of columns, as its documentation reads rows. */
export function readByRows({ url, token, org }: ServerAccess, bucket: string, capacity: number): Promise<number> {
  const timesNs = new BigInt64Array(capacity)
  const values = new Float64Array(capacity)
  let rows = 0
  const query = `from(bucket: "${bucket}") |> range(start: 0) |> drop(columns: ["_start", "_stop"])`
  const api = new InfluxDB({ url, token: token!, timeout: 60_000 }).getQueryApi({
    org: org!,
    headers: { 'accept-encoding': 'identity' }
  })
  return new Promise((resolve, reject) => {
    api.queryRows(query, {
      next: (row, meta) => {
        const time = meta.get(row, '_time') as string
        timesNs[rows] = BigInt(Date.parse(time)) * 1_000_000n
        values[rows++] = meta.get(row, '_value') as number
      },
      error: reject,
      complete: () => resolve(rows)
    })
  })
}
