import { Arg, Args, FieldResolver, Int, Resolver, Root } from 'type-graphql'
import { MAX_CONDITIONS_COUNTED } from '../src/query/condition-counts.js'
import { COST_OF_A_SEARCH, costOfSuggestedFacets } from '../schema/cost.js'
import { PAGE, READ } from '../schema/descriptions.js'
import { SuggestedFacetsType } from '../schema/facet-choice.type.js'
import { FacetsArgs, HistogramArgs } from '../schema/log.args.js'
import { LogGapType } from '../schema/log-stream.type.js'
import { LogConnectionType, LogEdgeType, LogRecordType } from '../schema/log.type.js'
import {
  ConditionCountType,
  CountType,
  FacetType,
  HistogramType,
  PageInfoType,
  QueryStatsType,
  TimeWindowType
} from '../schema/shared.type.js'
import type { LogCollector } from './log-collector.js'
import { toGap } from './log-stream-source.js'
import { LogSource } from './to-log.js'
import { toCountType, toFacet, toFacetQueries, toHistogram, toNumberRange, toStats, toWindow } from './to-shared.js'

/** Fields of the GraphQL type `LogConnection`. */
@Resolver(() => LogConnectionType)
export class LogConnectionResolver {
  @FieldResolver(() => [LogEdgeType], { description: PAGE.edges })
  async edges(@Root() connection: LogCollector): Promise<LogEdgeType[]> {
    const result = await connection.rows()
    return result.rows.map(record => ({ cursor: result.cursorOf(record), node: new LogSource(record) }))
  }

  @FieldResolver(() => [LogRecordType], { description: PAGE.nodes })
  async nodes(@Root() connection: LogCollector): Promise<LogSource[]> {
    return (await connection.rows()).rows.map(record => new LogSource(record))
  }

  @FieldResolver(() => PageInfoType, { description: PAGE.pageInfo })
  async pageInfo(@Root() connection: LogCollector): Promise<PageInfoType> {
    return (await connection.rows()).connection
  }

  @FieldResolver(() => TimeWindowType, { description: READ.window })
  async window(@Root() connection: LogCollector): Promise<TimeWindowType> {
    return toWindow((await connection.facts()).window)
  }

  @FieldResolver(() => CountType, { description: 'Number of matching records in the window.' })
  async total(@Root() connection: LogCollector): Promise<CountType> {
    return toCountType((await connection.total()).total!)
  }

  @FieldResolver(() => HistogramType, { description: READ.histogram })
  async histogram(@Root() connection: LogCollector, @Args(() => HistogramArgs) args: HistogramArgs): Promise<HistogramType> {
    return toHistogram(await connection.histogram({ buckets: args.buckets ?? undefined, by: args.by ?? undefined }))
  }

  @FieldResolver(() => [FacetType], { description: READ.facets })
  async facets(@Root() connection: LogCollector, @Args(() => FacetsArgs) args: FacetsArgs): Promise<FacetType[]> {
    const facets = await connection.facets(toFacetQueries(args))
    return facets.map(toFacet)
  }

  @FieldResolver(() => SuggestedFacetsType, {
    complexity: costOfSuggestedFacets,
    description:
      'Facets of fields that are selected from the data, and ranges of numbers; those that the filter names are among them.'
  })
  async suggestedFacets(
    @Root() connection: LogCollector,
    @Arg('limit', () => Int, { nullable: true, defaultValue: 10, description: 'Values per facet, 1 to 1,000.' }) limit: number
  ): Promise<SuggestedFacetsType> {
    const { facets, spreads, skipped, ...facts } = await connection.suggestedFacets(limit)
    return { facets: facets.map(toFacet), ranges: spreads.map(toNumberRange), skipped, stats: toStats(facts, 'logs') }
  }

  @FieldResolver(() => [ConditionCountType], {
    complexity: MAX_CONDITIONS_COUNTED * COST_OF_A_SEARCH,
    description:
      'Explains an empty result: for each condition of the filter, up to 8, the records that match without it, most first. Empty when records match.'
  })
  async conditions(@Root() connection: LogCollector): Promise<ConditionCountType[]> {
    const counts = await connection.conditions()
    return counts.map(({ condition, rowsWithout }) => ({ condition, rowsWithout: toCountType(rowsWithout) }))
  }

  @FieldResolver(() => [LogGapType], {
    description:
      'Lines of log streams in the window that did not arrive or were rejected, up to 100, by stream and place. Of searches confined to hosts, services, or paths (tag `log.file.path`); empty for others.'
  })
  async gaps(@Root() connection: LogCollector): Promise<LogGapType[]> {
    return (await connection.facts()).gaps.map(({ streamId, gap }) => toGap(streamId, gap))
  }

  @FieldResolver(() => QueryStatsType, { description: READ.stats })
  async stats(@Root() connection: LogCollector): Promise<QueryStatsType> {
    return toStats(await connection.facts(), 'logs')
  }
}
