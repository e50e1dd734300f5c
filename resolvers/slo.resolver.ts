import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { AlertGroupType, AlertRuleType } from '../schema/alert.type.js'
import { COST_OF_A_BACKTEST, COST_OF_A_LINK, COST_OF_A_SEARCH } from '../schema/cost.js'
import { DeletePayload } from '../schema/payload.type.js'
import { JSONObject } from '../schema/scalars.js'
import { TimeRangeInput } from '../schema/shared.input.js'
import { SloBacktestType, SloNameType, SloPayload, SloReportType, SloType } from '../schema/slo.type.js'
import { type Context, signedIn } from './context.js'
import { payload } from './refusals.js'
import { rulesOnce, toAlertRule } from './to-alert.js'
import { toBounds } from './to-shared.js'
import { toSlo, toSloBacktest, toSloReport } from './to-slo.js'

const DOCUMENT = 'Members as in `POST /api/v1/slos`.'

/** Fields of the GraphQL type `Slo`. */
@Resolver(() => SloType)
export class SloResolver {
  @Query(() => [SloType], { nullable: true, description: 'Service level objectives by name; at most 50.' })
  async slos(@Ctx() context: Context): Promise<SloType[]> {
    const allRules = rulesOnce(context)
    return (await context.use.slos.list(await context.namespace())).map(slo => toSlo(slo, allRules))
  }

  @Query(() => SloType, { nullable: true, description: 'Finds a service level objective by id.' })
  async slo(
    @Arg('id', () => ID, { description: 'Value of `Slo.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<SloType | null> {
    const slo = await context.use.slos.find(await context.namespace(), id)
    return slo && toSlo(slo, rulesOnce(context))
  }

  @Query(() => SloBacktestType, {
    nullable: true,
    complexity: COST_OF_A_BACKTEST,
    description:
      'Evaluates the rules of an SLO over the past without storing it: its alerts in the range, at most 31 days, and its error budget at the end. Events are counted for at most 20 s, the whole ends after 30 s.'
  })
  async sloBacktest(
    @Arg('document', () => JSONObject, { description: DOCUMENT }) document: object,
    @Arg('range', () => TimeRangeInput, { description: 'Window of evaluation times.' }) range: TimeRangeInput,
    @Ctx() { use, namespace, signal }: Context
  ): Promise<SloBacktestType> {
    return toSloBacktest(await use.sloBacktests.run(await namespace(), { slo: document, ...toBounds(range) }, signal))
  }

  @FieldResolver(() => [AlertRuleType], {
    complexity: COST_OF_A_LINK,
    description: 'Rules that it produces: one that records its events, and its alerts.'
  })
  async rules(@Root() { slo, allRules }: SloType): Promise<AlertRuleType[]> {
    return (await allRules()).filter(({ group }) => group.id === slo.groupId).map(status => toAlertRule(status, allRules))
  }

  @FieldResolver(() => SloReportType, {
    nullable: true,
    complexity: COST_OF_A_SEARCH,
    description: 'Its error budget now; at most 30 s old.'
  })
  async report(@Root() { slo }: SloType, @Ctx() { use, namespace, signal }: Context): Promise<SloReportType> {
    return toSloReport(await use.sloReports.report(await namespace(), slo, signal))
  }
}

/** The field `slo` of the GraphQL type `AlertGroup`. */
@Resolver(() => AlertGroupType)
export class AlertGroupSloResolver {
  @FieldResolver(() => SloNameType, {
    nullable: true,
    complexity: COST_OF_A_LINK,
    description: 'SLO that produces the rules of the group, which cannot be changed otherwise; null for all others.'
  })
  async slo(@Root() group: AlertGroupType, @Ctx() context: Context): Promise<SloNameType | null> {
    return (await context.slos()).find(({ groupId }) => groupId === group.id) ?? null
  }
}

/** Changes of service level objectives. */
@Resolver()
export class SloMutations {
  @Mutation(() => SloPayload, {
    description: 'Stores an SLO and its rules, or replaces the one with `id`. Requires role MEMBER. A namespace has at most 50.'
  })
  async saveSlo(
    @Arg('document', () => JSONObject, { description: DOCUMENT }) document: object,
    @Arg('id', () => ID, { nullable: true, description: 'SLO to replace; absent for a new one.' }) id: string | null | undefined,
    @Arg('version', () => Int, { nullable: true, description: 'With `id`: the version that was read; another one is refused.' })
    version: number | null | undefined,
    @Ctx() context: Context
  ): Promise<SloPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    const { slos } = context.use
    return payload(async () => {
      const content = slos.parse(document)
      const slo =
        id == null
          ? await slos.create(user, namespace, content)
          : await slos.update(user, namespace, { id, version: version ?? 0 }, content)
      return { slo: toSlo(slo, rulesOnce(context)) }
    })
  }

  @Mutation(() => DeletePayload, {
    description: 'Deletes an SLO with its rules and resolves their alerts. Recorded counts stay. Requires role MEMBER.'
  })
  async deleteSlo(
    @Arg('id', () => ID, { description: 'Value of `Slo.id`.' }) id: string,
    @Ctx() context: Context
  ): Promise<DeletePayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    return payload(async () => {
      await context.use.slos.remove(user, namespace, id)
      return { deletedId: id }
    })
  }
}
