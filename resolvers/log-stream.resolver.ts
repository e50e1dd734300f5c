import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql'
import { COST_OF_A_LINK, COST_OF_A_SEARCH } from '../schema/cost.js'
import { HostType } from '../schema/host.type.js'
import { LogStreamsArgs, StreamProofArgs } from '../schema/log-stream.args.js'
import { LogStreamConnectionType, LogStreamType, StreamProofType } from '../schema/log-stream.type.js'
import { GatewayError } from '../src/domain/errors.js'
import type { Context } from './context.js'
import { HostSource } from './host-source.js'
import { LogStreamSource, toStreamProof } from './log-stream-source.js'
import { toConnection } from './page.js'
import { toBounds, toStats } from './to-shared.js'

const SEARCH = { nullable: true, complexity: COST_OF_A_SEARCH }
const LINK = { nullable: true, complexity: COST_OF_A_LINK }

/** Queries of log streams, and fields of the GraphQL type `LogStream`. */
@Resolver(() => LogStreamType)
export class LogStreamResolver {
  @Query(() => LogStreamConnectionType, { ...SEARCH, description: 'Lists log streams by id, with their gaps.' })
  async logStreams(
    @Args(() => LogStreamsArgs) { range, first, after, host, path, service, states, incomplete }: LogStreamsArgs,
    @Ctx() context: Context
  ): Promise<LogStreamConnectionType> {
    const result = await context.use.streamReport.list(await context.namespace(), {
      ...(range != null && toBounds(range)),
      ...{ host: host ?? undefined, path: path ?? undefined, service: service ?? undefined },
      ...{ states: states ?? undefined, incomplete: incomplete ?? undefined },
      ...{ limit: first ?? undefined, limitName: 'first', after: after ?? undefined }
    })
    const sources = result.streams.map(stream => new LogStreamSource(stream))
    return { ...toConnection(sources, { hasMore: result.hasMore, after }, ({ id }) => id), stats: toStats(result, 'logs') }
  }

  @Query(() => LogStreamType, {
    ...SEARCH,
    description: 'Finds a log stream by id; null when the namespace has none of this id.'
  })
  async logStream(
    @Arg('id', () => ID, { description: 'Value of `LogStream.id`, or of the tag `log.stream.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<LogStreamSource | null> {
    const stream = await context.use.streamReport.get(await context.namespace(), id)
    return stream && new LogStreamSource(stream)
  }

  @FieldResolver(() => HostType, { ...LINK, description: 'Host of its records; null when no host of this name is known.' })
  async host(@Root() { hostName }: LogStreamSource, @Ctx() { hostLoaders }: Context): Promise<HostSource | null> {
    const found = hostName === null ? null : await hostLoaders.summaries.load(hostName)
    return found && new HostSource(found)
  }

  @FieldResolver(() => StreamProofType, {
    complexity: COST_OF_A_SEARCH,
    description: 'Whether lines of the stream are missing in a window of event time.'
  })
  async proof(
    @Root() { id }: LogStreamSource,
    @Args(() => StreamProofArgs) { range, recount }: StreamProofArgs,
    @Ctx() context: Context
  ): Promise<StreamProofType> {
    const query = { ...toBounds(range), recount: recount ?? undefined }
    const proof = await context.use.streamReport.prove(await context.namespace(), id, query, context.signal)
    // It may be forgotten meanwhile.
    if (proof === null) throw new GatewayError('not_found', 'the namespace has no log stream of this id')
    return toStreamProof(proof)
  }
}
