import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import { COST_OF_A_LINK, COST_OF_A_SEARCH } from '../schema/cost.js'
import { ListenersArgs } from '../schema/host.args.js'
import { HostType, ListenerConnectionType, ListenerType } from '../schema/host.type.js'
import type { ListenersResult } from '../src/query/hosts/listener-report.js'
import type { Context } from './context.js'
import { HostSource } from './host-source.js'
import { ListenerSource } from './listener-source.js'
import { toStats } from './to-shared.js'

const SEARCH = { nullable: true, complexity: COST_OF_A_SEARCH }

async function list({ host, service, port, open, first }: ListenersArgs, context: Context): Promise<ListenersResult> {
  const query = { host: host ?? undefined, service: service ?? undefined, port: port ?? undefined, open: open ?? undefined }
  return context.use.listenerReport.list(await context.namespace(), { ...query, limit: first ?? undefined, limitName: 'first' })
}

/** Queries of listeners, and fields of the GraphQL type `Listener`. */
@Resolver(() => ListenerType)
export class ListenerResolver {
  @Query(() => [ListenerType], {
    ...SEARCH,
    description: 'Lists listening sockets that agents found, open and closed in the last 7 days, by port; empty without agents.'
  })
  async listeners(@Args(() => ListenersArgs) args: ListenersArgs, @Ctx() context: Context): Promise<ListenerSource[]> {
    const { listeners } = await list(args, context)
    return listeners.map(listener => new ListenerSource(listener))
  }

  @Query(() => ListenerConnectionType, { ...SEARCH, description: 'As `listeners`, with completeness.' })
  async listenerPage(@Args(() => ListenersArgs) args: ListenersArgs, @Ctx() context: Context): Promise<ListenerConnectionType> {
    const result = await list(args, context)
    const nodes = result.listeners.map(listener => new ListenerSource(listener))
    return { nodes, stats: toStats(result, 'metrics') }
  }

  @FieldResolver(() => HostType, { complexity: COST_OF_A_LINK, description: 'Host of the socket.' })
  async host(@Root() listener: ListenerSource, @Ctx() { hostLoaders }: Context): Promise<HostSource> {
    // It may be forgotten meanwhile.
    const { hostName: name, lastSeen: lastSeenNs } = listener
    return new HostSource((await hostLoaders.summaries.load(name)) ?? { name, state: 'gone', lastSeenNs, hostId: null })
  }
}
