import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import { COST_OF_A_LINK, COST_OF_A_LINKED_SPAN, COST_OF_A_SEARCH } from '../schema/cost.js'
import { SafeInt } from '../schema/scalars.js'
import { FacetBucketType, FieldInfoType } from '../schema/shared.type.js'
import {
  CompareTracesArgs,
  SpanArgs,
  TraceArgs,
  TraceFieldsArgs,
  TraceFieldValuesArgs,
  TracesArgs
} from '../schema/trace.args.js'
import { SpanType, TraceComparisonType, TraceConnectionType, TraceSummaryType, TraceType } from '../schema/trace.type.js'
import type { TraceQuery } from '../src/query/traces/trace-query.js'
import type { Context } from './context.js'
import { toBounds } from './to-shared.js'
import { type SummarySource, toComparison, toTraceConditions } from './to-trace.js'
import { TraceCollector } from './trace-collector.js'
import { SpanSource, TraceSource } from './trace-source.js'

/** The source of a `TraceComparison`. */
type ComparisonSource = Pick<TraceComparisonType, 'operations'> & { readonly base: TraceSource; readonly other: TraceSource }

/** Queries of traces. */
@Resolver()
export class TraceQueries {
  @Query(() => TraceConnectionType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Searches traces by conditions on their spans.'
  })
  async traces(@Args(() => TracesArgs) args: TracesArgs, @Ctx() context: Context): Promise<TraceCollector> {
    const namespace = await context.namespace()
    const query: TraceQuery = {
      ...toBounds(args.range),
      limit: args.first ?? undefined,
      cursor: args.after ?? undefined,
      sort: args.orderBy ?? undefined,
      order: args.order ?? undefined,
      conditions: toTraceConditions(args.filter)
    }
    return new TraceCollector(async parts => context.use.traceSearch.search(namespace, { ...query, ...parts }, context.signal))
  }

  @Query(() => TraceType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description:
      'Finds a trace by id, without a time range; null when no span is stored. 16 digits find the trace whose id ends with them; several such traces are an error.'
  })
  async trace(@Args(() => TraceArgs) args: TraceArgs, @Ctx() context: Context): Promise<TraceSource | null> {
    const trace = await context.use.traceReading.get(await context.namespace(), args.traceId, context.signal, args.around)
    return trace && new TraceSource(context, trace.traceId, { read: trace })
  }

  @Query(() => SpanType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH + COST_OF_A_LINKED_SPAN,
    description: 'Finds a span by its trace and its id; null when it is not stored.'
  })
  async span(@Args(() => SpanArgs) args: SpanArgs, @Ctx() context: Context): Promise<SpanSource | null> {
    const span = await context.use.traceLinks.span(await context.namespace(), args, context.signal)
    return span && new SpanSource(span, new TraceSource(context, span.traceId))
  }

  @Query(() => TraceComparisonType, {
    nullable: true,
    complexity: 2 * COST_OF_A_SEARCH,
    description: 'Compares two traces: which operations of `other` appeared, vanished or changed in duration since `base`.'
  })
  async compareTraces(
    @Args(() => CompareTracesArgs) args: CompareTracesArgs,
    @Ctx() context: Context
  ): Promise<ComparisonSource> {
    const { traceReading } = context.use
    const compared = await traceReading.compare(await context.namespace(), args.base, args.other, context.signal)
    const { base, other, operations } = compared
    return {
      base: new TraceSource(context, base.traceId, { read: base }),
      other: new TraceSource(context, other.traceId, { read: other }),
      operations: operations.map(toComparison)
    }
  }

  @Query(() => [FieldInfoType], {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Lists fields of the matching spans: well-known ones first, then attributes by frequency.'
  })
  async traceFields(
    @Args(() => TraceFieldsArgs) args: TraceFieldsArgs,
    @Ctx() context: Context
  ): Promise<readonly FieldInfoType[]> {
    const query = {
      ...toBounds(args.range),
      conditions: toTraceConditions(args.filter),
      contains: args.contains ?? undefined,
      limit: args.limit ?? undefined
    }
    return (await context.use.traceFields.fields(await context.namespace(), query, context.signal)).fields
  }

  @Query(() => [FacetBucketType], {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Lists the values of one field in the matching spans, most frequent first.'
  })
  async traceFieldValues(
    @Args(() => TraceFieldValuesArgs) args: TraceFieldValuesArgs,
    @Ctx() context: Context
  ): Promise<readonly FacetBucketType[]> {
    const query = {
      ...toBounds(args.range),
      field: args.field,
      conditions: toTraceConditions(args.filter),
      contains: args.contains ?? undefined,
      limit: args.limit ?? undefined
    }
    return (await context.use.traceFields.values(await context.namespace(), query, context.signal)).facet.values
  }
}

/** Fields of the GraphQL type `TraceSummary`. */
@Resolver(() => TraceSummaryType)
export class TraceSummaryResolver {
  @FieldResolver(() => SafeInt, {
    complexity: COST_OF_A_LINK,
    description:
      'Log records with this trace id or its last 16 digits, from 1 h before the first trace of the page to 1 h after the last.'
  })
  async logCount(@Root() source: SummarySource, @Ctx() context: Context): Promise<number> {
    return context.traceLoaders.logCounts.load(source.summary)
  }

  @FieldResolver(() => TraceType, { nullable: true, complexity: COST_OF_A_LINK, description: 'The trace with its spans.' })
  trace(@Root() source: SummarySource, @Ctx() context: Context): TraceSource {
    return new TraceSource(context, source.traceId, { summary: source.summary })
  }
}
