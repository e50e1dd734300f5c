import { jsonNumber } from '../../query/promql/go-number.js'
import { LabelSet } from '../../query/promql/labels.js'
import type { SeriesExemplars } from '../../query/promql/promql-exemplars.js'

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
