import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import { AlertIntervalsType } from '../schema/alert-interval.type.js'
import { COST_OF_A_SEARCH } from '../schema/cost.js'
import { TimeRangeInput } from '../schema/shared.input.js'
import type { Context } from './context.js'
import { nsOfMs } from './to-access.js'
import { toBounds } from './to-shared.js'

/** When alerts fired. */
@Resolver()
export class AlertIntervalResolver {
  @Query(() => AlertIntervalsType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'When alerts fired in a window, to be drawn behind charts.'
  })
  async alertIntervals(
    @Arg('range', () => TimeRangeInput, { description: 'Window of time.' }) range: TimeRangeInput,
    @Arg('service', () => String, { nullable: true, description: 'Only alerts with this value of the label `service`.' })
    service: string | null | undefined,
    @Ctx() { use, namespace }: Context
  ): Promise<AlertIntervalsType> {
    const request = { ...toBounds(range), service: service ?? undefined }
    const { intervals, knownFromMs, complete } = await use.alertIntervals.firing(await namespace(), request)
    return {
      intervals: intervals.map(({ ruleId, labels, fromMs, toMs, isOpenAtStart, isOpenAtEnd }) => {
        return { ruleId, labels, from: nsOfMs(fromMs), to: nsOfMs(toMs), isOpenAtStart, isOpenAtEnd }
      }),
      knownFrom: nsOfMs(knownFromMs),
      complete
    }
  }
}
