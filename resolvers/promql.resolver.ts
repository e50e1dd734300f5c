import { Args, Ctx, Query, Resolver } from 'type-graphql'
import { formatDurationMs } from '../src/domain/duration.js'
import type { PromqlChartResult } from '../src/query/promql/promql-chart.js'
import { costOfPromql } from '../schema/cost.js'
import { PromqlArgs } from '../schema/promql.args.js'
import { type PromMatrixType, PromResult, type PromScalarType, type PromVectorType } from '../schema/promql.type.js'
import type { Context } from './context.js'
import { toSeries } from './to-metric.js'
import { toBounds, toGrid, toStats } from './to-shared.js'

/** JSON has no NaN and no infinity. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

function toResult(result: PromqlChartResult): PromMatrixType | PromVectorType | PromScalarType {
  const stats = toStats(result, 'metrics')
  switch (result.kind) {
    case 'lines': {
      const lines = result.series.map(({ metric, labels, values }) => {
        return { ...toSeries({ ref: null, metric: metric ?? '', labels, values }), metric }
      })
      return { grid: toGrid(result.grid), series: lines, stats }
    }
    case 'samples': {
      const samples = result.samples.map(({ metric, labels, timestampNs, value }) => {
        return { metric, labels, timestamp: timestampNs, value: finite(value) }
      })
      return { samples, stats }
    }
    default:
      return { timestamp: result.timestampNs, value: finite(result.value), stats }
  }
}

/** PromQL queries and charts. */
@Resolver()
export class PromqlResolver {
  @Query(() => PromResult, {
    nullable: true,
    complexity: costOfPromql,
    description: 'Evaluates PromQL with the engine of the Prometheus HTTP API.'
  })
  async promql(
    @Args(() => PromqlArgs) { query, range, at, step, maxPoints }: PromqlArgs,
    @Ctx() context: Context
  ): Promise<PromMatrixType | PromVectorType | PromScalarType> {
    const requested = {
      query,
      window: range == null ? undefined : toBounds(range),
      at: at ?? undefined,
      step: step == null ? undefined : formatDurationMs(step),
      maxPoints: maxPoints ?? undefined
    }
    return toResult(await context.use.promqlChart.draw(await context.namespace(), requested, context.signal))
  }
}
