import { GatewayError } from '../../../domain/errors.js'
import type { EncodedHistogram } from '../../../domain/native-histogram/encode.js'
import { isHistogramMark } from '../wire/histogram-mark.js'
import { oneOfSql } from './one-of.js'
import { Params } from './params.js'
import type { Samples } from './sorted-rows.js'
import { allRowsSql, type Scope } from './source.js'
import { streamRows } from './statement.js'

/** So many bytes of a histogram count as one sample, as a number with its time takes them. */
const SAMPLE_BYTES = 16

/** Histograms by the time of their sample. */
type ByTime = Map<bigint, EncodedHistogram>

/** Histograms of series by id; of several for one time the one with the highest `seq`. `maxSamples` bounds their bytes. */
export async function readHistograms(
  scope: Scope,
  ids: readonly bigint[],
  maxSamples: number
): Promise<ReadonlyMap<bigint, ByTime>> {
  const params = new Params()
  const source = allRowsSql(scope, params)
  const sql = `SELECT series, ts, histogram FROM ${source} WHERE ${oneOfSql('series', ids, params)} ORDER BY series, ts, seq`
  const found = new Map<bigint, ByTime>()
  let bytes = 0
  for await (const rows of streamRows(scope, sql, params)) {
    for (const row of rows) {
      const [series, ts, histogram] = [row['series'] as bigint, row['ts'] as bigint, row['histogram'] as EncodedHistogram]
      bytes += histogram.length
      if (bytes > maxSamples * SAMPLE_BYTES) throw tooMany(maxSamples)
      const byTime = found.get(series) ?? new Map<bigint, EncodedHistogram>()
      found.set(series, byTime.set(ts, histogram))
    }
  }
  return found
}

function tooMany(maxSamples: number): GatewayError {
  const detail = `the query exceeds the limit of ${maxSamples} samples (histograms count by size); use a shorter time range or fewer series`
  return new GatewayError('query_unsupported', detail)
}

/** Histograms by the index of their marks. */
export function histogramsAt({ timestampsNs, values }: Samples, byTime: ByTime | undefined): Map<number, EncodedHistogram> {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
  const found = new Map<number, EncodedHistogram>()
  for (let i = 0; i < values.length; i++) {
    if (!isHistogramMark(words[2 * i]!, words[2 * i + 1]!)) continue
    const histogram = byTime?.get(timestampsNs[i]!)
    if (histogram !== undefined) found.set(i, histogram)
  }
  return found
}
