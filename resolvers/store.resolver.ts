import { Ctx, Query, Resolver } from 'type-graphql'
import { FailingJobType, StoreStatusType } from '../schema/store.type.js'
import type { Context } from './context.js'

@Resolver()
export class StoreResolver {
  @Query(() => [StoreStatusType], { nullable: true })
  async stores(@Ctx() context: Context): Promise<StoreStatusType[]> {
    const states = await context.use.storeStates()
    return states.map(state => ({ ...state, detail: state.detail === '' ? null : state.detail }))
  }

  @Query(() => [FailingJobType], { nullable: true, description: 'Background jobs that fail; the log has the cause.' })
  failingJobs(@Ctx() context: Context): FailingJobType[] {
    return [...context.use.failingJobs()]
  }
}
