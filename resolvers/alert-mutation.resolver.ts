import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql'
import { AlertGroupInput, AlertRuleInput } from '../schema/alert.input.js'
import { AlertGroupPayload, AlertRulePayload, DeletePayload } from '../schema/payload.type.js'
import type { AlertRuleService } from '../src/alerting/rules/alert-rule-service.js'
import type { AlertRule } from '../src/domain/alerts/alert-rule.js'
import type { Namespace } from '../src/domain/namespace.js'
import type { UserPrincipal } from '../src/domain/principal.js'
import { type Context, signedIn } from './context.js'
import { payload } from './refusals.js'
import { groupOf, ruleOf, rulesOnce, toAlertGroup, toAlertRule } from './to-alert.js'

const RULE_ID = 'Value of `AlertRule.id`.'

/** Stores a rule by `write` and returns it with its state. */
async function saved(
  context: Context,
  write: (rules: AlertRuleService, user: UserPrincipal, namespace: Namespace) => Promise<AlertRule>
): Promise<AlertRulePayload> {
  const user = signedIn(context)
  const namespace = await context.namespace()
  const { alertRules, alertReport } = context.use
  return payload(async () => ({
    alertRule: toAlertRule(await alertReport.status(await write(alertRules, user, namespace)), rulesOnce(context))
  }))
}

/** Changes of alert rules and their groups. */
@Resolver()
export class AlertMutations {
  @Mutation(() => AlertGroupPayload, {
    description:
      'Stores a group of alert rules, or replaces the one with `id`. Requires role MEMBER. A namespace has at most 100.'
  })
  async saveAlertGroup(
    @Arg('input', () => AlertGroupInput, { description: 'Content of the group.' }) input: AlertGroupInput,
    @Arg('id', () => ID, { nullable: true, description: 'Group to replace; absent for a new one.' }) id:
      | string
      | null
      | undefined,
    @Ctx() context: Context
  ): Promise<AlertGroupPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => ({
      group: toAlertGroup(
        await context.use.alertRules.saveGroup(user, namespace, groupOf(input), id ?? undefined),
        rulesOnce(context)
      )
    }))
  }

  @Mutation(() => DeletePayload, {
    description: 'Deletes a group with its rules and resolves their alerts. Their events stay. Requires role MEMBER.'
  })
  async deleteAlertGroup(
    @Arg('id', () => ID, { description: 'Value of `AlertGroup.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      await context.use.alertRules.removeGroup(user, namespace, id)
      return { deletedId: id }
    })
  }

  @Mutation(() => AlertRulePayload, {
    description: 'Stores a new alert rule at the end of its group. Requires role MEMBER. A namespace has at most 500.'
  })
  async createAlertRule(
    @Arg('input', () => AlertRuleInput, { description: 'Content of the rule.' }) input: AlertRuleInput,
    @Ctx() context: Context
  ): Promise<AlertRulePayload> {
    return saved(context, (rules, user, namespace) =>
      rules.create(user, namespace, rules.parse(ruleOf(input)), input.groupId ?? undefined)
    )
  }

  @Mutation(() => AlertRulePayload, {
    description: 'Replaces the content of an alert rule. A stale `version` is refused with CONFLICT. Requires role MEMBER.'
  })
  async updateAlertRule(
    @Arg('id', () => ID, { description: RULE_ID }) id: string,
    @Arg('version', () => Int, { description: 'Version that was read.' }) version: number,
    @Arg('input', () => AlertRuleInput, { description: 'Content of the rule.' }) input: AlertRuleInput,
    @Ctx() context: Context
  ): Promise<AlertRulePayload> {
    return saved(context, (rules, user, namespace) =>
      rules.update(user, namespace, { id, version, groupId: input.groupId ?? undefined }, rules.parse(ruleOf(input)))
    )
  }

  @Mutation(() => AlertRulePayload, {
    description: 'Enables or disables an alert rule; disabling resolves its alerts. Requires role MEMBER.'
  })
  async setAlertRuleEnabled(
    @Arg('id', () => ID, { description: RULE_ID }) id: string,
    @Arg('enabled', () => Boolean, { description: 'Whether the rule is evaluated from now on.' }) enabled: boolean,
    @Ctx() context: Context
  ): Promise<AlertRulePayload> {
    return saved(context, (rules, user, namespace) => rules.setEnabled(user, namespace, id, enabled))
  }

  @Mutation(() => DeletePayload, {
    description: 'Deletes an alert rule and resolves its alerts. Its events stay. Requires role MEMBER.'
  })
  async deleteAlertRule(
    @Arg('id', () => ID, { description: RULE_ID }) id: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      await context.use.alertRules.remove(user, namespace, id)
      return { deletedId: id }
    })
  }
}
