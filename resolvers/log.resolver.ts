import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import { GatewayError } from '../src/domain/errors.js'
import type { LogQuery } from '../src/query/log-query.js'
import { COST_OF_A_SEARCH } from '../schema/cost.js'
import { LogFieldsArgs, LogFieldValuesArgs, LogsArgs, SurroundingArgs } from '../schema/log.args.js'
import { LogConnectionType, LogRecordType } from '../schema/log.type.js'
import { FacetBucketType, FieldInfoType } from '../schema/shared.type.js'
import type { Context } from './context.js'
import { LogCollector } from './log-collector.js'
import { LogSource, toLogConditions } from './to-log.js'
import { toBounds } from './to-shared.js'

type PageQuery = Pick<LogQuery, 'limit' | 'cursor' | 'direction' | 'around'>

/** Relay's two pairs; both at once have no defined meaning. */
function toPage(args: LogsArgs): PageQuery {
  if (args.around != null) {
    if ([args.after, args.last, args.before].every(other => other == null)) {
      return { around: args.around, limit: args.first ?? undefined }
    }
    throw new GatewayError('invalid_field', 'use around with first only', { field: 'around' })
  }
  const isBackward = args.last != null || args.before != null
  if (isBackward && (args.first != null || args.after != null)) {
    throw new GatewayError('invalid_field', 'use first and after, or last and before', { field: 'first' })
  }
  return isBackward
    ? { direction: 'backward', limit: args.last ?? undefined, cursor: args.before ?? undefined }
    : { direction: 'forward', limit: args.first ?? undefined, cursor: args.after ?? undefined }
}

/** Fields of the GraphQL type `LogRecord`. */
@Resolver(() => LogRecordType)
export class LogResolver {
  @Query(() => LogConnectionType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Searches log records, latest first by default.'
  })
  async logs(@Args(() => LogsArgs) args: LogsArgs, @Ctx() context: Context): Promise<LogCollector> {
    const namespace = await context.namespace()
    const query: LogQuery = {
      ...toBounds(args.range),
      ...toPage(args),
      order: args.order ?? undefined,
      conditions: toLogConditions(args.filter)
    }
    return new LogCollector(context, namespace, query)
  }

  @Query(() => LogRecordType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Finds a log record by id; null when it is unknown or past the retention.'
  })
  async log(
    @Arg('id', () => ID, { description: 'Value of `LogRecord.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<LogSource | null> {
    const record = await context.use.logSearch.get(await context.namespace(), id)
    return record && new LogSource(record)
  }

  @Query(() => [FieldInfoType], {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Lists fields of the matching records: well-known ones first, then free fields by frequency.'
  })
  async logFields(@Args(() => LogFieldsArgs) args: LogFieldsArgs, @Ctx() context: Context): Promise<readonly FieldInfoType[]> {
    const query = {
      ...toBounds(args.range),
      conditions: toLogConditions(args.filter),
      contains: args.contains ?? undefined,
      limit: args.limit ?? undefined
    }
    return (await context.use.logFields.fields(await context.namespace(), query, context.signal)).fields
  }

  @Query(() => [FacetBucketType], {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Lists the values of one field in the matching records, most frequent first.'
  })
  async logFieldValues(
    @Args(() => LogFieldValuesArgs) args: LogFieldValuesArgs,
    @Ctx() context: Context
  ): Promise<readonly FacetBucketType[]> {
    const query = {
      ...toBounds(args.range),
      field: args.field,
      conditions: toLogConditions(args.filter),
      contains: args.contains ?? undefined,
      limit: args.limit ?? undefined
    }
    return (await context.use.logFields.values(await context.namespace(), query, context.signal)).facet.values
  }

  @FieldResolver(() => [LogRecordType], {
    description:
      'Records of the same service and host around this one, oldest first, up to 24 h away. Each side ends at the bytes of a page.',
    complexity: COST_OF_A_SEARCH
  })
  async surrounding(
    @Root() log: LogSource,
    @Args(() => SurroundingArgs) args: SurroundingArgs,
    @Ctx() context: Context
  ): Promise<LogSource[]> {
    const count = { before: args.before ?? 0, after: args.after ?? 0 }
    const records = await context.use.logSearch.surrounding(await context.namespace(), log.record, count, context.signal)
    return records.map(record => new LogSource(record))
  }
}
