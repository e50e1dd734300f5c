import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import { AggregateInput } from '../schema/aggregate.input.js'
import { AggregateResultType, type AggregateValueType } from '../schema/aggregate.type.js'
import { costOfAggregate } from '../schema/cost.js'
import type { AggregateValues } from '../src/domain/aggregate.js'
import { formatDurationMs } from '../src/domain/duration.js'
import { GatewayError } from '../src/domain/errors.js'
import type { AggregateQuery } from '../src/query/aggregate/aggregate-query.js'
import type { Context } from './context.js'
import { toBounds, toConditions, toCountType, toGrid, toStats } from './to-shared.js'

function toQuery({ range, query, where, measures, groupBy, step, ...given }: AggregateInput): AggregateQuery {
  return {
    ...{ ...toBounds(range), query: query ?? undefined, filters: toConditions(where) },
    measures: measures.map(({ fn, field, ref }) => ({ fn, field: field ?? undefined, ref: ref ?? undefined })),
    groupBy: groupBy ?? undefined,
    step: step == null ? undefined : formatDurationMs(step),
    buckets: given.buckets ?? undefined,
    limit: given.limit ?? undefined,
    orderBy: given.orderBy ?? undefined,
    order: given.direction ?? undefined,
    includeOther: given.includeOther ?? undefined,
    exact: given.exact ?? undefined
  }
}

function toMeasures({ values, series }: AggregateValues, refs: readonly string[]): readonly AggregateValueType[] {
  return refs.map((ref, i) => ({ ref, value: values[i]!, values: series?.[i] ?? null }))
}

/** Measures over the fields of logs and spans. */
@Resolver()
export class AggregateResolver {
  @Query(() => AggregateResultType, {
    nullable: true,
    complexity: costOfAggregate,
    description: 'Computes measures of logs or spans, by groups and over time.'
  })
  async aggregate(
    @Arg('input', () => AggregateInput, { description: 'Rows, measures and groups.' }) input: AggregateInput,
    @Ctx() context: Context
  ): Promise<AggregateResultType> {
    const { signal } = input
    if (signal !== 'logs' && signal !== 'spans')
      throw new GatewayError('invalid_field', 'signal must be LOGS or SPANS', { field: 'input.signal' })
    const report = await context.use.aggregations[signal].aggregate(await context.namespace(), toQuery(input), context.signal)
    const { rows, other, refs, grid, groups, relativeError } = report
    return {
      grid: grid && toGrid(grid),
      rows: [
        ...rows.map(({ key, ...values }) => ({ group: key, other: false, measures: toMeasures(values, refs) })),
        ...(other ? [{ group: [], other: true, measures: toMeasures(other, refs) }] : [])
      ],
      groups: toCountType(groups),
      relativeError,
      stats: toStats(report, signal)
    }
  }
}
