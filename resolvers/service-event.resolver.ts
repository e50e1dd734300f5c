import { Args, Ctx, Query, Resolver } from 'type-graphql'
import { COST_OF_A_SEARCH } from '../schema/cost.js'
import { ServiceEventConnectionType, ServiceEventsArgs, ServiceEventType } from '../schema/service-event.type.js'
import type { ServiceEvent } from '../src/domain/service-event.js'
import { serviceEventCursor } from '../src/query/service-events/service-event-report.js'
import type { Context } from './context.js'
import { nsOfMs } from './to-access.js'

function toServiceEvent({ namespaceId: _namespaceId, atMs, ...event }: ServiceEvent): ServiceEventType {
  return { ...event, at: nsOfMs(atMs) }
}

/** Fields of the GraphQL type `ServiceEvent`. */
@Resolver(() => ServiceEventType)
export class ServiceEventResolver {
  @Query(() => ServiceEventConnectionType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description:
      'Deployments and other events of services, newest first. They are kept for 90 days, 10,000 reported ones of a namespace and 1,000 of type `log.gap`.'
  })
  async serviceEvents(
    @Args(() => ServiceEventsArgs) { range, types, service, environment, first, after }: ServiceEventsArgs,
    @Ctx() context: Context
  ): Promise<ServiceEventConnectionType> {
    const { events, hasMore } = await context.use.serviceEvents.list(await context.namespace(), {
      ...{ start: range.from, end: range.to, types: types ?? undefined, service: service ?? undefined },
      ...{ environment: environment ?? undefined, limit: first ?? undefined, limitName: 'first', after: after ?? undefined }
    })
    const edges = events.map(event => ({ cursor: serviceEventCursor(event), node: toServiceEvent(event) }))
    const [startCursor = null, endCursor = null] = [edges[0]?.cursor, edges.at(-1)?.cursor]
    const pageInfo = { hasNextPage: hasMore, hasPreviousPage: after != null, startCursor, endCursor }
    return { edges, nodes: edges.map(({ node }) => node), pageInfo }
  }
}
