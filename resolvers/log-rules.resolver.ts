import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql'
import { LogRulesInput, LogRulesPayload, LogRulesType } from '../schema/log-rules.type.js'
import type { FieldRule, LogRules } from '../src/domain/log-rules.js'
import { type Context, signedIn } from './context.js'
import { payload } from './refusals.js'

/** The use case checks that the values of both objects are strings. */
function toRules({ redact, drop, fields }: LogRulesInput): LogRules {
  const { detectors, keys, literals } = redact
  return {
    redact: { detectors, keys, literals },
    drop: drop.map(({ name, query, keep }) => ({ name, query, keep })),
    fields: fields.map(({ when, overrides }) => ({ when, overrides }) as FieldRule)
  }
}

/** Rules for the records of a namespace. */
@Resolver()
export class LogRulesResolver {
  @Query(() => LogRulesType, {
    nullable: true,
    description: 'What happens to records of the active namespace before they are stored. Requires role ADMIN.'
  })
  async logRules(@Ctx() context: Context): Promise<LogRulesType> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    return context.use.logRules.get(user, id)
  }

  @Mutation(() => LogRulesPayload, {
    description:
      'Replaces the rules for records of the active namespace. They hold for later requests, on other gateways within a second. Requires role ADMIN.'
  })
  async setLogRules(
    @Arg('input', () => LogRulesInput, { description: 'New rules.' }) input: LogRulesInput,
    @Ctx() context: Context
  ): Promise<LogRulesPayload> {
    const user = signedIn(context)
    const { id } = await context.namespace()
    return payload(async () => ({ logRules: await context.use.logRules.set(user, id, toRules(input)) }))
  }
}
