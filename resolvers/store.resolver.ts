import { Ctx, Query, Resolver } from 'type-graphql'
import { FailingJobType, StoreStatusType } from '../schema/store.type.js'
import type { Context } from './context.js'

/** Health of stores and background jobs. */
@Resolver()
export class StoreResolver {
  @Query(() => [StoreStatusType], { nullable: true, description: 'Checks the health of all stores.' })
  async stores(@Ctx() context: Context): Promise<StoreStatusType[]> {
    const states = await context.use.storeStates()
    return states.map(state => ({ ...state, detail: state.detail === '' ? null : state.detail }))
  }

  @Query(() => [FailingJobType], {
    nullable: true,
    description: 'Lists background jobs that fail repeatedly. The log has the causes.'
  })
  failingJobs(@Ctx() context: Context): FailingJobType[] {
    return [...context.use.failingJobs()]
  }
}
