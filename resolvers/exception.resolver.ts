import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import type { Namespace } from '../src/domain/namespace.js'
import type { WindowBounds } from '../src/query/answer.js'
import type { ErrorGroupSummary } from '../src/query/error-answer.js'
import { COST_OF_A_SEARCH } from '../schema/cost.js'
import { ExceptionState } from '../schema/enums.js'
import { ExceptionsArgs } from '../schema/exception.args.js'
import { ExceptionEventType, ExceptionGroupType } from '../schema/exception.type.js'
import { HistogramType } from '../schema/shared.type.js'
import type { Context } from './context.js'
import { ExceptionSource } from './exception-source.js'
import { toBounds, toHistogram } from './to-shared.js'

const DEFAULT_BUCKETS = 30
const DEFAULT_LATEST = 10
/** As far back as data may reach: the use case cuts it at the retention. */
const EVER: WindowBounds = { start: '1970-01-01T00:00:00Z' }

function toSource(group: ErrorGroupSummary, namespace: Namespace, window: WindowBounds, context: Context): ExceptionSource {
  const conditions = { fingerprint: group.fingerprint }
  return new ExceptionSource(group, async parts =>
    context.use.errorReport.events(namespace, { ...window, ...parts, conditions }, context.signal)
  )
}

@Resolver(() => ExceptionGroupType)
export class ExceptionResolver {
  @Query(() => [ExceptionGroupType], { nullable: true, complexity: COST_OF_A_SEARCH })
  async exceptions(@Args(() => ExceptionsArgs) args: ExceptionsArgs, @Ctx() context: Context): Promise<ExceptionSource[]> {
    if (args.states != null && !args.states.includes(ExceptionState.OPEN)) return []
    const namespace = await context.namespace()
    const window = toBounds(args.range)
    const query = { ...window, conditions: { service: args.services ?? undefined }, limit: args.first ?? undefined }
    const { groups } = await context.use.errorReport.groups(namespace, query, context.signal)
    return groups.map(group => toSource(group, namespace, window, context))
  }

  @Query(() => ExceptionGroupType, { nullable: true, complexity: COST_OF_A_SEARCH })
  async exception(@Arg('id', () => ID) id: string, @Ctx() context: Context): Promise<ExceptionSource | null> {
    const namespace = await context.namespace()
    const query = { ...EVER, conditions: { fingerprint: id }, limit: 1 }
    const group = (await context.use.errorReport.groups(namespace, query, context.signal)).groups[0]
    return group ? toSource(group, namespace, EVER, context) : null
  }

  @FieldResolver(() => HistogramType, { complexity: COST_OF_A_SEARCH })
  async histogram(
    @Root() group: ExceptionSource,
    @Arg('buckets', () => Int, { nullable: true, defaultValue: DEFAULT_BUCKETS }) buckets: number | null
  ): Promise<HistogramType> {
    return toHistogram(await group.histogram(buckets ?? DEFAULT_BUCKETS))
  }

  @FieldResolver(() => [ExceptionEventType], { complexity: COST_OF_A_SEARCH })
  async latest(
    @Root() group: ExceptionSource,
    @Arg('first', () => Int, { nullable: true, defaultValue: DEFAULT_LATEST }) first: number | null
  ): Promise<ExceptionEventType[]> {
    return (await group.newest(first ?? DEFAULT_LATEST)).map(event => ({
      id: event.id,
      timestamp: event.timestampNs,
      message: event.message,
      stacktrace: event.stack,
      traceId: event.traceId,
      spanId: event.spanId,
      tags: event.tags
    }))
  }
}
