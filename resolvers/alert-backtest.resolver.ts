import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import { AlertBacktestType, type BacktestInstanceType } from '../schema/alert-backtest.type.js'
import { AlertRuleInput } from '../schema/alert.input.js'
import { COST_OF_A_BACKTEST } from '../schema/cost.js'
import type { Signal, ValueOf } from '../schema/enums.js'
import { TimeRangeInput } from '../schema/shared.input.js'
import type { BacktestReport } from '../src/alerting/rules/alert-backtests.js'
import type { Context } from './context.js'
import { nsOfMs } from './to-access.js'
import { finite, ruleOf } from './to-alert.js'
import { toBounds, toStats } from './to-shared.js'

type SignalName = ValueOf<typeof Signal>

/** The telemetry that the condition of a rule reads. */
function signalOf({ condition }: AlertRuleInput): SignalName {
  if (condition == null) return 'metrics'
  if ('logs' in condition) return 'logs'
  return 'traces' in condition ? 'spans' : 'metrics'
}

/** Alerts of a backtest as GraphQL has them. */
export function toBacktestInstances(instances: BacktestReport['instances']): BacktestInstanceType[] {
  return instances.map(({ labels, intervals }) => ({
    labels,
    intervals: intervals.map(({ state, fromMs, toMs, peak }) => {
      return { state, from: nsOfMs(fromMs), to: nsOfMs(toMs), peak: finite(peak) }
    })
  }))
}

function toBacktest(report: BacktestReport, signal: SignalName): AlertBacktestType {
  const { instances, notifications, perWeek, flaps, suggestions, evaluations } = report
  return {
    ...{ notifications, perWeek, flaps, evaluations },
    instances: toBacktestInstances(instances),
    suggestions: suggestions.map(({ forMs, perWeek: ofOne }) => ({ threshold: null, for: forMs, perWeek: ofOne })),
    stats: toStats(report, signal)
  }
}

/** Tries rules on the past. */
@Resolver()
export class AlertBacktestResolver {
  @Query(() => AlertBacktestType, {
    nullable: true,
    complexity: COST_OF_A_BACKTEST,
    description: 'Evaluates a rule over the past without storing it, at most 31 days and 50,000 evaluations, in at most 30 s.'
  })
  async alertBacktest(
    @Arg('rule', () => AlertRuleInput, { description: 'Rule to try; `groupId` selects interval, limit and offset.' })
    rule: AlertRuleInput,
    @Arg('range', () => TimeRangeInput, { description: 'Window of evaluation times.' }) range: TimeRangeInput,
    @Ctx() context: Context
  ): Promise<AlertBacktestType> {
    const requested = { rule: ruleOf(rule), groupId: rule.groupId ?? undefined, ...toBounds(range) }
    const report = await context.use.alertBacktests.run(await context.namespace(), requested, context.signal)
    return toBacktest(report, signalOf(rule))
  }
}
