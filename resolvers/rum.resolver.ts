import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import { COST_OF_A_SEARCH } from '../schema/cost.js'
import { READ } from '../schema/descriptions.js'
import { MetricResultType } from '../schema/metric.type.js'
import {
  BreakdownArgs,
  DistributionArgs,
  PercentileArgs,
  RumListArgs,
  RumSeriesArgs,
  VitalArgs,
  RumFilterInput
} from '../schema/rum.args.js'
import {
  RumBreakdownRowType,
  RumEventConnectionType,
  RumType,
  VitalDistributionType,
  VitalSummaryType
} from '../schema/rum.type.js'
import { SafeInt } from '../schema/scalars.js'
import { TimeRangeInput } from '../schema/shared.input.js'
import { QueryStatsType, TimeWindowType } from '../schema/shared.type.js'
import type { Context } from './context.js'
import { RumSource } from './rum-source.js'
import { toSeries } from './to-metric.js'
import { toBreakdownRow, toRumConditions, toRumEvent, toVital } from './to-rum.js'
import { toBounds, toGrid, toStats, toWindow } from './to-shared.js'

/** Where the vitals' thresholds judge (web.dev: the 75th percentile of page loads). */
const DEFAULT_PERCENTILE = 75

/** Fields of the GraphQL type `Rum`. */
@Resolver(() => RumType)
export class RumResolver {
  @Query(() => RumType, { nullable: true, complexity: COST_OF_A_SEARCH, description: 'Reads page views and their timings.' })
  async rum(
    @Arg('range', () => TimeRangeInput, { description: READ.range }) range: TimeRangeInput,
    @Arg('filter', () => RumFilterInput, { nullable: true, description: 'Conditions on the page views; absent: all page views.' })
    filter: RumFilterInput | null | undefined,
    @Ctx() context: Context
  ): Promise<RumSource> {
    const namespace = await context.namespace()
    const selection = { ...toBounds(range), conditions: toRumConditions(filter) }
    return new RumSource(selection, async query => context.use.rumReport.vitals(namespace, query, context.signal))
  }

  @FieldResolver(() => TimeWindowType, { description: READ.window })
  async window(@Root() rum: RumSource): Promise<TimeWindowType> {
    return toWindow((await rum.overall()).window)
  }

  @FieldResolver(() => SafeInt, { description: 'Number of page views.' })
  async events(@Root() rum: RumSource): Promise<number> {
    return (await rum.overall()).groups[0]?.events ?? 0
  }

  @FieldResolver(() => SafeInt, { description: 'Number of distinct session ids.' })
  async sessions(@Root() rum: RumSource): Promise<number> {
    return (await rum.overall()).groups[0]?.sessions ?? 0
  }

  @FieldResolver(() => VitalSummaryType, { description: 'Statistics of one timing.' })
  async vital(@Root() rum: RumSource, @Args(() => VitalArgs) args: VitalArgs): Promise<VitalSummaryType> {
    const { vital, at } = await rum.vital(args.vital, args.percentile ?? DEFAULT_PERCENTILE)
    return toVital(vital!, at)
  }

  @FieldResolver(() => [VitalSummaryType], { description: 'Statistics of all timings.' })
  async vitals(@Root() rum: RumSource, @Args(() => PercentileArgs) args: PercentileArgs): Promise<VitalSummaryType[]> {
    const { vitals, at } = await rum.vitals(args.percentile ?? DEFAULT_PERCENTILE)
    return vitals.map(vital => toVital(vital, at))
  }

  @FieldResolver(() => [RumBreakdownRowType], {
    complexity: COST_OF_A_SEARCH,
    description: 'Timings per value of a dimension, most page views first.'
  })
  async breakdown(
    @Root() rum: RumSource,
    @Args(() => BreakdownArgs) args: BreakdownArgs,
    @Ctx() context: Context
  ): Promise<RumBreakdownRowType[]> {
    const query = {
      ...rum.query,
      groupBy: args.by,
      vitals: args.vitals,
      percentiles: [args.percentile ?? DEFAULT_PERCENTILE],
      limit: args.limit ?? undefined
    }
    return (await context.use.rumReport.vitals(await context.namespace(), query, context.signal)).groups.map(toBreakdownRow)
  }

  @FieldResolver(() => VitalDistributionType, { complexity: COST_OF_A_SEARCH, description: 'Samples of one timing by value.' })
  async distribution(
    @Root() rum: RumSource,
    @Args(() => DistributionArgs) { vital, buckets }: DistributionArgs,
    @Ctx() context: Context
  ): Promise<VitalDistributionType> {
    const query = { ...rum.query, vital, buckets: buckets ?? undefined }
    return context.use.rumReport.distribution(await context.namespace(), query, context.signal)
  }

  @FieldResolver(() => MetricResultType, { complexity: COST_OF_A_SEARCH, description: 'One timing over time.' })
  async series(
    @Root() rum: RumSource,
    @Args(() => RumSeriesArgs) args: RumSeriesArgs,
    @Ctx() context: Context
  ): Promise<MetricResultType> {
    const { vital, percentile, by, buckets, limit } = args
    const query = {
      ...rum.query,
      vital,
      percentile: percentile ?? undefined,
      by: by ?? undefined,
      buckets: buckets ?? undefined,
      limit: limit ?? undefined
    }
    const result = await context.use.rumReport.series(await context.namespace(), query, context.signal)
    const series = result.series.map(({ key, values }) =>
      toSeries({ ref: null, metric: vital, labels: by == null ? [] : [{ name: by, value: key ?? '' }], values })
    )
    return { grid: toGrid(result.grid), series, omitted: result.omitted, stats: toStats(result, 'rum') }
  }

  @FieldResolver(() => RumEventConnectionType, { complexity: COST_OF_A_SEARCH, description: 'The page views, latest first.' })
  async list(
    @Root() rum: RumSource,
    @Args(() => RumListArgs) args: RumListArgs,
    @Ctx() context: Context
  ): Promise<RumEventConnectionType> {
    const query = { ...rum.query, limit: args.first ?? undefined, cursor: args.after ?? undefined }
    const result = await context.use.rumReport.list(await context.namespace(), query, context.signal)
    const edges = result.rows.map(row => ({ cursor: result.cursorOf(row), node: toRumEvent(row) }))
    return { edges, nodes: edges.map(edge => edge.node), pageInfo: result.connection }
  }

  @FieldResolver(() => QueryStatsType, { description: READ.stats })
  async stats(@Root() rum: RumSource): Promise<QueryStatsType> {
    return toStats(await rum.overall(), 'rum')
  }
}
