import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { GatewayError } from '../src/domain/errors.js'
import { COST_OF_A_PATTERN, COST_OF_A_SEARCH } from '../schema/cost.js'
import { PatternsArgs } from '../schema/log.args.js'
import { LogPatternType, PatternFactsType, PatternVariableType } from '../schema/log-pattern.type.js'
import { LogConnectionType, LogRecordType } from '../schema/log.type.js'
import { LogPatternPayload } from '../schema/payload.type.js'
import { Timestamp } from '../schema/scalars.js'
import { FacetBucketType, HistogramType } from '../schema/shared.type.js'
import type { FacetValue } from '../src/domain/search.js'
import { onePattern, type PatternListResult } from '../src/query/patterns/pattern-list.js'
import { type Context, signedIn } from './context.js'
import type { LogCollector } from './log-collector.js'
import { PatternSource } from './pattern-source.js'
import { payload } from './refusals.js'
import { LogSource } from './to-log.js'
import { toBounds, toCountType, toHistogram, toStats } from './to-shared.js'

const DEFAULT_BUCKETS = 30
const DEFAULT_SAMPLES = 3

function toBuckets(values: readonly FacetValue[]): FacetBucketType[] {
  return values.map(({ value, count }) => ({ value, count, selected: false }))
}

async function listOf(connection: LogCollector, { limit, compare }: PatternsArgs): Promise<PatternListResult> {
  return connection.patterns({ limit: limit ?? undefined, compare: compare == null ? undefined : toBounds(compare) })
}

/** Patterns of the GraphQL type `LogConnection`. */
@Resolver(() => LogConnectionType)
export class LogPatternsResolver {
  @FieldResolver(() => [LogPatternType], {
    complexity: COST_OF_A_SEARCH,
    description: 'Patterns of the matching records, most frequent first.'
  })
  async patterns(@Root() connection: LogCollector, @Args(() => PatternsArgs) args: PatternsArgs): Promise<PatternSource[]> {
    const list = await listOf(connection, args)
    return list.patterns.map(pattern => new PatternSource(onePattern(list, pattern)))
  }

  @FieldResolver(() => PatternFactsType, {
    complexity: COST_OF_A_SEARCH,
    description: 'Extent and completeness of `patterns` with the same arguments, which share its search.'
  })
  async patternFacts(@Root() connection: LogCollector, @Args(() => PatternsArgs) args: PatternsArgs): Promise<PatternFactsType> {
    const list = await listOf(connection, args)
    const { logs, unassigned, total, hasMore, tested } = list
    return { logs, unassigned, total: toCountType(total), hasMore, tested, stats: toStats(list, 'logs') }
  }
}

/** Fields of the GraphQL type `LogPattern`, and its query and mutation. */
@Resolver(() => LogPatternType)
export class LogPatternResolver {
  @Query(() => LogPatternType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Finds a pattern over the whole retention, by any id that it had; null for an unknown id.'
  })
  async logPattern(
    @Arg('id', () => ID, { description: 'Value of `LogRecord.patternId`.' }) id: string,
    @Ctx() context: Context
  ): Promise<PatternSource | null> {
    const one = await context.use.patternList.get(await context.namespace(), id, context.signal)
    return one && new PatternSource(one)
  }

  @FieldResolver(() => [FacetBucketType], { complexity: COST_OF_A_PATTERN, description: 'Levels of its records, at most 10.' })
  async levels(@Root() pattern: PatternSource): Promise<FacetBucketType[]> {
    return toBuckets((await pattern.detail()).levels)
  }

  @FieldResolver(() => [FacetBucketType], { complexity: COST_OF_A_PATTERN, description: 'Services of its records, at most 10.' })
  async services(@Root() pattern: PatternSource): Promise<FacetBucketType[]> {
    return toBuckets((await pattern.detail()).services)
  }

  @FieldResolver(() => Timestamp, {
    nullable: true,
    complexity: COST_OF_A_PATTERN,
    description: 'Event time of its latest record in the window; null when none is left.'
  })
  async lastSeen(@Root() pattern: PatternSource): Promise<bigint | null> {
    return (await pattern.detail()).lastSeenNs
  }

  @FieldResolver(() => HistogramType, { complexity: COST_OF_A_PATTERN, description: 'Its records over time.' })
  async trend(
    @Root() pattern: PatternSource,
    @Arg('buckets', () => Int, {
      nullable: true,
      defaultValue: DEFAULT_BUCKETS,
      description: 'Requested number of buckets, 1 to 200; the result can have fewer.'
    })
    buckets: number | null
  ): Promise<HistogramType> {
    const isDefault = buckets === null || buckets === DEFAULT_BUCKETS
    return toHistogram((await pattern.detail(isDefault ? {} : { buckets })).trend)
  }

  @FieldResolver(() => [LogRecordType], { complexity: COST_OF_A_PATTERN, description: 'Its latest records.' })
  async samples(
    @Root() pattern: PatternSource,
    @Arg('first', () => Int, { nullable: true, defaultValue: DEFAULT_SAMPLES, description: 'Number of records, at most 20.' })
    first: number | null
  ): Promise<LogSource[]> {
    const isDefault = first === null || first === DEFAULT_SAMPLES
    const { samples } = await pattern.detail(isDefault ? {} : { samples: first })
    return samples.map(record => new LogSource(record))
  }

  @FieldResolver(() => [PatternVariableType], {
    complexity: COST_OF_A_PATTERN,
    description: 'Variable parts of the template in its order, from its latest records, at most 1,000.'
  })
  async variables(
    @Root() pattern: PatternSource,
    @Arg('values', () => Int, { nullable: true, defaultValue: 5, description: 'Values of each of them, 1 to 20.' })
    values: number | null
  ): Promise<PatternVariableType[]> {
    const { variables } = await pattern.variables(values ?? undefined)
    return variables.map(variable => ({ ...variable, values: toBuckets(variable.values) }))
  }

  @Mutation(() => LogPatternPayload, {
    complexity: COST_OF_A_SEARCH,
    description: 'Sets the note of a pattern or mutes it, and records it in the audit log. Requires role MEMBER.'
  })
  async updatePattern(
    @Arg('id', () => ID, { description: 'Value of `LogPattern.id`.' }) id: string,
    @Arg('note', () => String, { nullable: true, description: 'New note, at most 4,096 characters; empty removes it.' })
    note: string | null | undefined,
    @Arg('muted', () => Boolean, { nullable: true, description: 'Whether it is muted.' }) muted: boolean | null | undefined,
    @Ctx() context: Context
  ): Promise<LogPatternPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      await context.use.patterns.decide(user, namespace, id, { note: note ?? undefined, muted: muted ?? undefined })
      context.use.patternList.forget(namespace)
      const one = await context.use.patternList.get(namespace, id, context.signal)
      if (one === null) throw new GatewayError('not_found', 'no pattern of this namespace has this id', { field: 'id' })
      return { pattern: new PatternSource(one) }
    })
  }
}
