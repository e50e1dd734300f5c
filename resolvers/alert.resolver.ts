import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import { AlertEventsArgs } from '../schema/alert.input.js'
import {
  AlertEventConnectionType,
  AlertEventType,
  AlertGroupType,
  AlertInstanceType,
  AlertRuleType
} from '../schema/alert.type.js'
import { COST_OF_A_LINK, COST_OF_A_PATTERN, COST_OF_A_SEARCH } from '../schema/cost.js'
import { PAGE, READ } from '../schema/descriptions.js'
import { AlertOverlay, AlertState, type ValueOf } from '../schema/enums.js'
import type { EventListRequest } from '../src/alerting/rules/alert-report.js'
import type { Context } from './context.js'
import { rulesOnce, toAlertEvents, toAlertGroup, toAlertInstance, toAlertRule } from './to-alert.js'

type State = ValueOf<typeof AlertState>

/** All of what is stored. */
const EVER = { start: '1970-01-01', end: 'now+1d' } as const

async function eventsOf(context: Context, request: EventListRequest): Promise<AlertEventConnectionType> {
  const namespace = await context.namespace()
  const page = await context.use.alertReport.events(namespace, request)
  return toAlertEvents(page, request.after === undefined, rulesOnce(context))
}

/** Fields of the GraphQL type `AlertGroup`. */
@Resolver(() => AlertGroupType)
export class AlertGroupResolver {
  @Query(() => [AlertGroupType], { nullable: true, description: 'Groups of alert rules, by name; at most 100.' })
  async alertGroups(@Ctx() context: Context): Promise<AlertGroupType[]> {
    const allRules = rulesOnce(context)
    const groups = await context.use.alertRules.groups(await context.namespace())
    return groups.map(({ group }) => toAlertGroup(group, allRules))
  }

  @FieldResolver(() => [AlertRuleType], { complexity: COST_OF_A_LINK, description: 'Rules of the group in their order.' })
  async rules(@Root() { id, allRules }: AlertGroupType): Promise<AlertRuleType[]> {
    return (await allRules()).filter(({ group }) => group.id === id).map(status => toAlertRule(status, allRules))
  }
}

/** Fields of the GraphQL type `AlertInstance`. */
@Resolver(() => AlertInstanceType)
export class AlertInstanceResolver {
  @FieldResolver(() => [AlertOverlay], {
    complexity: COST_OF_A_LINK,
    description: 'What hides its notifications now; empty for an alert that is over.'
  })
  async overlays(@Root() { instance }: AlertInstanceType, @Ctx() context: Context): Promise<ValueOf<typeof AlertOverlay>[]> {
    return [...(await context.alertOverlays())(instance)]
  }
}

/** Fields of the GraphQL type `AlertRule`. */
@Resolver(() => AlertRuleType)
export class AlertRuleResolver {
  @Query(() => [AlertRuleType], {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Alert rules by group name and position; at most 500.'
  })
  async alertRules(
    @Arg('states', () => [AlertState], { nullable: true, description: 'Only rules in one of these states.' })
    states: State[] | null | undefined,
    @Arg('contains', () => String, { nullable: true, description: READ.contains }) contains: string | null | undefined,
    @Ctx() context: Context
  ): Promise<AlertRuleType[]> {
    const allRules = rulesOnce(context)
    const request = { states: states ?? undefined, contains: contains ?? undefined }
    const found = await context.use.alertReport.rules(await context.namespace(), request)
    return found.map(status => toAlertRule(status, allRules))
  }

  @Query(() => AlertRuleType, { nullable: true, description: 'Finds an alert rule by id.' })
  async alertRule(
    @Arg('id', () => ID, { description: 'Value of `AlertRule.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<AlertRuleType | null> {
    const status = await context.use.alertReport.rule(await context.namespace(), id)
    return status && toAlertRule(status, rulesOnce(context))
  }

  @FieldResolver(() => [AlertInstanceType], { description: 'Alerts of the rule; resolved ones stay for 15 minutes.' })
  instances(
    @Root() { status }: AlertRuleType,
    @Arg('states', () => [AlertState], { nullable: true, description: 'Only alerts in one of these states.' })
    states: State[] | null | undefined
  ): AlertInstanceType[] {
    const all = status.instances
    return (states == null ? all : all.filter(({ state }) => states.includes(state))).map(toAlertInstance)
  }

  @FieldResolver(() => AlertEventConnectionType, {
    complexity: COST_OF_A_PATTERN,
    description: 'Events of the rule, newest first.'
  })
  async history(
    @Root() { id }: AlertRuleType,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Events per page, 0 to 500.' }) first:
      | number
      | null,
    @Arg('after', () => String, { nullable: true, description: PAGE.after }) after: string | null | undefined,
    @Ctx() context: Context
  ): Promise<AlertEventConnectionType> {
    return eventsOf(context, { ...EVER, ruleIds: [id], limit: first ?? undefined, after: after ?? undefined })
  }
}

/** Fields of the GraphQL type `AlertEvent`. */
@Resolver(() => AlertEventType)
export class AlertEventResolver {
  @Query(() => AlertEventConnectionType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Events of alerts, newest first. They are kept for 90 days, at most 100,000 of a namespace.'
  })
  async alertEvents(
    @Args(() => AlertEventsArgs) args: AlertEventsArgs,
    @Ctx() context: Context
  ): Promise<AlertEventConnectionType> {
    const { range, ruleIds, first, after } = args
    const page = { limit: first ?? undefined, after: after ?? undefined }
    return eventsOf(context, { start: range.from, end: range.to, ruleIds: ruleIds ?? undefined, ...page })
  }

  @FieldResolver(() => AlertRuleType, {
    nullable: true,
    complexity: COST_OF_A_LINK,
    description: 'Rule of the alert; null when it has been deleted.'
  })
  async rule(@Root() { ruleId, allRules }: AlertEventType): Promise<AlertRuleType | null> {
    const status = (await allRules()).find(({ rule }) => rule.id === ruleId)
    return status === undefined ? null : toAlertRule(status, allRules)
  }
}
