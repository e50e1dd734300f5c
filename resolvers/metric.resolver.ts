import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql'
import { formatDurationMs } from '../src/domain/duration.js'
import { resolveWindow } from '../src/domain/time-range.js'
import type { LabelsResult } from '../src/query/metric-result.js'
import type { MetricLine } from '../src/query/metric-line.js'
import { COST_OF_A_SEARCH, costOfMetricLabels, costOfMetricRange } from '../schema/cost.js'
import { READ } from '../schema/descriptions.js'
import { MetricLabelsArgs, MetricRangeArgs, MetricsArgs, type MetricQueryInput } from '../schema/metric.args.js'
import { MetricConnectionType, MetricDescription, MetricLabelType, MetricResultType } from '../schema/metric.type.js'
import { TimeRangeInput } from '../schema/shared.input.js'
import type { Context } from './context.js'
import { pageSize, toConnection } from './page.js'
import { nsOfMs } from './to-access.js'
import { toMetric, toSeries } from './to-metric.js'
import { toBounds, toGrid, toStats } from './to-shared.js'

const DEFAULT_NAMES = 100
const DEFAULT_VALUES = 100

function toLabels(result: LabelsResult): MetricLabelType[] {
  return result.labels.map(({ name, values }) => ({ name, cardinality: values.length, allValues: values }))
}

function toLine(query: MetricQueryInput): MetricLine {
  return {
    ref: query.ref,
    metric: query.metric,
    match: query.match ?? undefined,
    aggregation: query.aggregation,
    by: query.by ?? undefined,
    limit: query.limit ?? undefined
  }
}

/** Fields of the GraphQL type `MetricDescription`. */
@Resolver(() => MetricDescription)
export class MetricResolver {
  @Query(() => MetricConnectionType, { nullable: true, complexity: COST_OF_A_SEARCH, description: 'Lists metric names.' })
  async metrics(@Args(() => MetricsArgs) args: MetricsArgs, @Ctx() context: Context): Promise<MetricConnectionType> {
    const { startNs } = resolveWindow(args.range.from, toBounds(args.range).end, nsOfMs(context.nowMs()), 0)
    const page = {
      contains: args.contains ?? undefined,
      after: args.after ?? undefined,
      limit: pageSize(args.first, DEFAULT_NAMES)
    }
    const { metrics, hasMore } = await context.use.metricQuery.catalog(await context.namespace(), page, context.signal)
    const connection = toConnection(metrics.map(toMetric), { hasMore, after: args.after }, metric => metric.name)
    // Names whose last sample is before the range are left out of the page, but the page ends where it ends.
    const isAlive = (metric: MetricDescription): boolean => metric.lastSeen >= startNs
    return { ...connection, nodes: connection.nodes.filter(isAlive), edges: connection.edges.filter(edge => isAlive(edge.node)) }
  }

  @Query(() => MetricDescription, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Finds a metric by its exact name; null when it is unknown.'
  })
  async metric(
    @Arg('name', () => String, { description: 'Metric name as in PromQL.' }) name: string,
    @Ctx() context: Context
  ): Promise<MetricDescription | null> {
    const metric = await context.use.metricQuery.metric(await context.namespace(), name, context.signal)
    return metric && toMetric(metric)
  }

  @Query(() => [MetricLabelType], {
    nullable: true,
    complexity: costOfMetricLabels,
    description: 'Lists label names and values of the matching series.'
  })
  async metricLabels(@Args(() => MetricLabelsArgs) args: MetricLabelsArgs, @Ctx() context: Context): Promise<MetricLabelType[]> {
    const query = { ...toBounds(args.range), metric: args.metric ?? undefined, match: args.match ?? undefined }
    return toLabels(await context.use.metricQuery.labels(await context.namespace(), query, context.signal))
  }

  @Query(() => MetricResultType, {
    nullable: true,
    complexity: costOfMetricRange,
    description: 'Evaluates metric queries on one time grid.'
  })
  async metricRange(@Args(() => MetricRangeArgs) args: MetricRangeArgs, @Ctx() context: Context): Promise<MetricResultType> {
    const query = {
      ...toBounds(args.range),
      step: args.step == null ? undefined : formatDurationMs(args.step),
      maxPoints: args.maxPoints ?? undefined,
      lines: args.queries.map(toLine)
    }
    const result = await context.use.metricQuery.range(await context.namespace(), query, context.signal)
    return {
      grid: toGrid(result.grid),
      series: result.series.map(toSeries),
      omitted: result.omitted,
      stats: toStats(result, 'metrics')
    }
  }

  @FieldResolver(() => [MetricLabelType], {
    complexity: COST_OF_A_SEARCH,
    description: 'Label names and values of its series in the window.'
  })
  async labels(
    @Root() metric: MetricDescription,
    @Arg('range', () => TimeRangeInput, { description: READ.range }) range: TimeRangeInput,
    @Ctx() context: Context
  ): Promise<MetricLabelType[]> {
    const query = { ...toBounds(range), metric: metric.name }
    return toLabels(await context.use.metricQuery.labels(await context.namespace(), query, context.signal))
  }
}

/** Fields of the GraphQL type `MetricLabel`. */
@Resolver(() => MetricLabelType)
export class MetricLabelResolver {
  @FieldResolver(() => [String], { description: 'Values in alphabetical order.' })
  values(
    @Root() label: MetricLabelType,
    @Arg('contains', () => String, { nullable: true, description: 'Only values that contain this substring, case-insensitive.' })
    contains: string | null | undefined,
    @Arg('limit', () => Int, { nullable: true, defaultValue: DEFAULT_VALUES, description: 'Maximum number of values.' }) limit:
      | number
      | null
  ): readonly string[] {
    const selected = contains?.toLowerCase() ?? ''
    const values = label.allValues.filter(value => value.toLowerCase().includes(selected))
    return values.slice(0, Math.max(0, limit ?? DEFAULT_VALUES))
  }
}

/** Metadata of a metric from its senders. */
@Resolver(() => MetricDescription)
export class MetricFactsResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Unit from the metadata of the sender, for example `seconds`; null when unknown.'
  })
  async unit(@Root() { name }: MetricDescription, @Ctx() { metricFacts }: Context): Promise<string | null> {
    return (await metricFacts.load(name))?.unit || null
  }

  @FieldResolver(() => String, { nullable: true, description: 'Help string from the metadata of the sender; null when unknown.' })
  async description(@Root() { name }: MetricDescription, @Ctx() { metricFacts }: Context): Promise<string | null> {
    return (await metricFacts.load(name))?.help || null
  }
}
