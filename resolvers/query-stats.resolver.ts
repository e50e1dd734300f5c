import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql'
import { COST_OF_A_SEARCH } from '../schema/cost.js'
import { Timestamp } from '../schema/scalars.js'
import { QueryStatsType } from '../schema/shared.type.js'
import type { Context } from './context.js'
import type { StatsSource } from './to-shared.js'

/** Fields of the GraphQL type `QueryStats`. */
@Resolver(() => QueryStatsType)
export class QueryStatsResolver {
  @FieldResolver(() => Timestamp, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description:
      'Time of the newest record of this signal that a query can find now; null without records, and for metrics, whose samples have no common order.'
  })
  async newestAt(@Root() { signal }: StatsSource, @Ctx() context: Context): Promise<bigint | null> {
    return signal === 'metrics' ? null : context.newest(signal)
  }
}
