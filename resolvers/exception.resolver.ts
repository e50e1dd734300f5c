import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root, Mutation } from 'type-graphql'
import { COST_OF_A_LINK, COST_OF_A_SEARCH } from '../schema/cost.js'
import { ExceptionGroupsArgs, ExceptionsArgs } from '../schema/exception.args.js'
import { ExceptionEventType, ExceptionGroupConnectionType, ExceptionGroupType } from '../schema/exception.type.js'
import { HistogramType } from '../schema/shared.type.js'
import { TraceType } from '../schema/trace.type.js'
import { topFrames } from '../src/ingest/fingerprint.js'
import { type Context, signedIn } from './context.js'
import { pageOfGroups } from './exception-page.js'
import { allExceptionGroups, EVER, exceptionGroups, type ExceptionSource } from './exception-source.js'
import { toBounds, toHistogram, toStats } from './to-shared.js'
import { linkedTrace, type TraceSource } from './trace-source.js'
import { ExceptionDecision, type ValueOf } from '../schema/enums.js'
import { ExceptionPayload } from '../schema/payload.type.js'
import { GatewayError } from '../src/domain/errors.js'
import { payload } from './refusals.js'

const DEFAULT_BUCKETS = 30
const DEFAULT_LATEST = 10

/** Fields of the GraphQL type `ExceptionGroup`. */
@Resolver(() => ExceptionGroupType)
export class ExceptionResolver {
  @Query(() => [ExceptionGroupType], {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Lists error groups, most recently seen first.'
  })
  async exceptions(@Args(() => ExceptionsArgs) args: ExceptionsArgs, @Ctx() context: Context): Promise<ExceptionSource[]> {
    const query = {
      conditions: { service: args.services ?? undefined },
      states: args.states ?? undefined,
      limit: args.first ?? undefined
    }
    return exceptionGroups(await context.namespace(), toBounds(args.range), query, context)
  }

  @Query(() => ExceptionGroupConnectionType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description:
      'Searches error groups, most recently seen first. A cursor holds a place in that order and remains valid when groups change.'
  })
  async exceptionGroups(
    @Args(() => ExceptionGroupsArgs) args: ExceptionGroupsArgs,
    @Ctx() context: Context
  ): Promise<ExceptionGroupConnectionType> {
    const conditions = { service: args.services ?? undefined, query: args.query ?? undefined }
    const query = { conditions, states: args.states ?? undefined }
    const { sources, result } = await allExceptionGroups(await context.namespace(), toBounds(args.range), query, context)
    return {
      ...pageOfGroups(sources, args.first, args.after),
      total: { value: sources.length, exact: !result.hasMore },
      stats: toStats(result, 'errors')
    }
  }

  @Query(() => ExceptionGroupType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Finds an error group over the whole retention; null when it has no stored error.'
  })
  async exception(
    @Arg('id', () => ID, { description: 'Fingerprint of the group.' }) id: string,
    @Ctx() context: Context
  ): Promise<ExceptionSource | null> {
    const query = { conditions: { fingerprint: id }, limit: 1 }
    return (await exceptionGroups(await context.namespace(), EVER, query, context))[0] ?? null
  }

  @FieldResolver(() => HistogramType, { complexity: COST_OF_A_SEARCH, description: 'Errors of the group over time.' })
  async histogram(
    @Root() group: ExceptionSource,
    @Arg('buckets', () => Int, {
      nullable: true,
      defaultValue: DEFAULT_BUCKETS,
      description: 'Requested number of buckets, 1 to 1,000; the result can have fewer.'
    })
    buckets: number | null
  ): Promise<HistogramType> {
    return toHistogram(await group.histogram(buckets ?? DEFAULT_BUCKETS))
  }

  @FieldResolver(() => String, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Top stack frame of the latest error without its position; null without a recognized stack trace.'
  })
  async culprit(@Root() group: ExceptionSource): Promise<string | null> {
    const [newest] = await group.newest(1)
    return newest?.stack == null ? null : (topFrames(newest.stack)[0] ?? null)
  }

  @FieldResolver(() => [ExceptionEventType], { complexity: COST_OF_A_SEARCH, description: 'Latest errors of the group.' })
  async latest(
    @Root() group: ExceptionSource,
    @Arg('first', () => Int, { nullable: true, defaultValue: DEFAULT_LATEST, description: 'Number of errors, at most 5,000.' })
    first: number | null
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

/** Fields of the GraphQL type `ExceptionEvent`. */
@Resolver(() => ExceptionEventType)
export class ExceptionEventResolver {
  @FieldResolver(() => TraceType, {
    nullable: true,
    complexity: COST_OF_A_LINK,
    description: 'Trace in which the error occurred; null when it is not stored.'
  })
  async trace(@Root() { traceId }: ExceptionEventType, @Ctx() context: Context): Promise<TraceSource | null> {
    return traceId === null ? null : linkedTrace(traceId, context)
  }
}

/** Mutations of exceptions. */
@Resolver()
export class ExceptionMutations {
  @Mutation(() => ExceptionPayload, {
    description: 'Sets the triage state of an error group and records it in the audit log. Requires role MEMBER.'
  })
  async setExceptionState(
    @Arg('id', () => ID, { description: 'Fingerprint of the group.' }) id: string,
    @Arg('state', () => ExceptionDecision, { description: 'New state.' }) state: ValueOf<typeof ExceptionDecision>,
    @Ctx() context: Context
  ): Promise<ExceptionPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    const find = async () => {
      const [group] = await exceptionGroups(namespace, EVER, { conditions: { fingerprint: id }, limit: 1 }, context)
      if (!group) throw new GatewayError('not_found', 'no group of errors has this id', { field: 'id' })
      return group
    }
    return payload(async () => {
      await context.use.errorGroups.decide(user, namespace, id, state, find)
      return { exception: await find() }
    })
  }
}
