import { Args, FieldResolver, Resolver, Root } from 'type-graphql'
import { PAGE, READ } from '../schema/descriptions.js'
import { FacetsArgs, HistogramArgs } from '../schema/log.args.js'
import { CountType, FacetType, HistogramType, PageInfoType, QueryStatsType, TimeWindowType } from '../schema/shared.type.js'
import { costOfHeatmap, costOfPoints } from '../schema/cost.js'
import { DurationsArgs, HeatmapArgs, TracePointsArgs } from '../schema/trace.args.js'
import {
  DurationHeatmapType,
  DurationHistogramType,
  TraceConnectionType,
  TraceEdgeType,
  TracePointsType,
  TraceSummaryType
} from '../schema/trace.type.js'
import { toCountType, toFacet, toFacetQueries, toHistogram, toStats, toWindow } from './to-shared.js'
import { SummarySource, toDurationHeatmap, toDurationHistogram, toTracePoints } from './to-trace.js'
import type { TraceCollector } from './trace-collector.js'

/** Fields of the GraphQL type `TraceConnection`. */
@Resolver(() => TraceConnectionType)
export class TraceConnectionResolver {
  @FieldResolver(() => [TraceEdgeType], { description: PAGE.edges })
  async edges(@Root() connection: TraceCollector): Promise<TraceEdgeType[]> {
    const result = await connection.rows()
    return result.rows.map(summary => ({ cursor: result.cursorOf(summary), node: new SummarySource(summary) }))
  }

  @FieldResolver(() => [TraceSummaryType], { description: PAGE.nodes })
  async nodes(@Root() connection: TraceCollector): Promise<SummarySource[]> {
    return (await connection.rows()).rows.map(summary => new SummarySource(summary))
  }

  @FieldResolver(() => PageInfoType, { description: PAGE.pageInfo })
  async pageInfo(@Root() connection: TraceCollector): Promise<PageInfoType> {
    return (await connection.rows()).connection
  }

  @FieldResolver(() => TimeWindowType, { description: READ.window })
  async window(@Root() connection: TraceCollector): Promise<TimeWindowType> {
    return toWindow((await connection.facts()).window)
  }

  @FieldResolver(() => CountType, { description: 'Number of traces with a matching span.' })
  async total(@Root() connection: TraceCollector): Promise<CountType> {
    return toCountType((await connection.total()).total!)
  }

  @FieldResolver(() => HistogramType, {
    description: 'Matching spans per time bucket. A query can compute at most 8 histograms.'
  })
  async histogram(@Root() connection: TraceCollector, @Args(() => HistogramArgs) args: HistogramArgs): Promise<HistogramType> {
    return toHistogram(await connection.histogram({ buckets: args.buckets ?? undefined, by: args.by ?? undefined }))
  }

  @FieldResolver(() => DurationHistogramType, { description: 'Matching spans by duration.' })
  async durations(
    @Root() connection: TraceCollector,
    @Args(() => DurationsArgs) args: DurationsArgs
  ): Promise<DurationHistogramType> {
    return toDurationHistogram(await connection.durations(args.buckets))
  }

  @FieldResolver(() => DurationHeatmapType, {
    complexity: costOfHeatmap,
    description: 'Matching spans by start and duration. Counts as a histogram.'
  })
  async heatmap(@Root() connection: TraceCollector, @Args(() => HeatmapArgs) args: HeatmapArgs): Promise<DurationHeatmapType> {
    return toDurationHeatmap(await connection.heatmap(args.buckets))
  }

  @FieldResolver(() => TracePointsType, {
    complexity: costOfPoints,
    description: 'The latest matching traces by start and duration, whatever page `nodes` is. Counts as a histogram.'
  })
  async points(@Root() connection: TraceCollector, @Args(() => TracePointsArgs) args: TracePointsArgs): Promise<TracePointsType> {
    return toTracePoints(await connection.points(args.limit))
  }

  @FieldResolver(() => [FacetType], { description: 'Counts of matching spans per value of the requested fields.' })
  async facets(@Root() connection: TraceCollector, @Args(() => FacetsArgs) args: FacetsArgs): Promise<FacetType[]> {
    const facets = await connection.facets(toFacetQueries(args))
    return facets.map(toFacet)
  }

  @FieldResolver(() => QueryStatsType, { description: READ.stats })
  async stats(@Root() connection: TraceCollector): Promise<QueryStatsType> {
    return toStats(await connection.facts(), 'spans')
  }
}
