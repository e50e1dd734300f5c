import { jsonNumber } from '../../query/promql/go-number.js'
import { LabelSet } from '../../query/promql/labels.js'
import type { SeriesExemplars } from '../../query/promql/promql-exemplars.js'

/** The response of the endpoints that hold no samples: any data, cut to the limit when it is a list. */
export function writeData(data: unknown, limit: number, warnings: readonly string[] = []): string {
  const isTruncated = Array.isArray(data) && data.length > limit
  const shown: unknown = isTruncated ? data.slice(0, limit) : data
  const sentences = [...warnings, ...(isTruncated ? ['results truncated due to limit'] : [])]
  return JSON.stringify({ status: 'success', data: shown, ...(sentences.length > 0 && { warnings: sentences }) })
}

const NS_PER_MS = 1_000_000n

/** A series and its exemplars as `query_exemplars` shows them: values as text, times as seconds with milliseconds. */
export function exemplarsJson({ series, exemplars }: SeriesExemplars): object {
  return {
    seriesLabels: series.toObject(),
    exemplars: exemplars.map(({ ownLabels, value, timestampNs }) => ({
      labels: new LabelSet(ownLabels).toObject(),
      value: jsonNumber(value),
      timestamp: Number(timestampNs / NS_PER_MS) / 1000
    }))
  }
}
