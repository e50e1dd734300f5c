import type { AggregateValues } from '../../domain/aggregate.js'
import { formatNs } from '../../domain/timestamp.js'
import type { AggregateReport } from '../../query/aggregate/aggregate-query.js'
import type { Grid } from '../../query/result.js'
import type { Static } from '../json-schema.js'
import type { AGGREGATE } from '../routes/aggregate-schemas.js'
import { factsJson, pageJson, wholePage } from './facts-json.js'

type AggregateReply = Static<(typeof AGGREGATE)['response'][200]>

const NS_PER_S = 1e9

function measuresJson({ values, series }: AggregateValues, refs: readonly string[]): AggregateReply['rows'][0]['measures'] {
  return refs.map((ref, i) => ({ ref, value: values[i]!, ...(series && { values: series[i]! }) }))
}

function gridJson({ startNs, stepNs, length }: Grid): NonNullable<AggregateReply['grid']> {
  return { start: formatNs(startNs), step_s: Number(stepNs) / NS_PER_S, length }
}

/** The result of an aggregation. */
export function aggregateJson(report: AggregateReport): AggregateReply {
  const { rows, other, groups, grid, relativeError, refs, hasMore, limit } = report
  return {
    rows: rows.map(({ key, ...values }) => ({ group: key, measures: measuresJson(values, refs) })),
    other: other && { measures: measuresJson(other, refs) },
    groups,
    grid: grid && gridJson(grid),
    relative_error: relativeError,
    ...pageJson(wholePage(hasMore, limit), null),
    ...factsJson(report)
  }
}
