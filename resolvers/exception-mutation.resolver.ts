import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { ExceptionDecision, type ValueOf } from '../schema/enums.js'
import { ExceptionPayload } from '../schema/payload.type.js'
import { GatewayError } from '../src/domain/errors.js'
import { type Context, signedIn } from './context.js'
import { EVER, exceptionGroups } from './exception-source.js'
import { payload } from './refusals.js'

@Resolver()
export class ExceptionMutations {
  @Mutation(() => ExceptionPayload, {
    description: 'Sets the triage state of an error group and records it in the audit log. Requires role MEMBER.'
  })
  async setExceptionState(
    @Arg('id', () => ID, { description: 'Fingerprint of the group.' }) id: string,
    @Arg('state', () => ExceptionDecision, { description: 'New state.' }) state: ValueOf<typeof ExceptionDecision>,
    @Ctx() context: Context
  ): Promise<ExceptionPayload> {
    const user = signedIn(context)
    const namespace = await context.namespace()
    const find = async () => {
      const [group] = await exceptionGroups(namespace, EVER, { conditions: { fingerprint: id }, limit: 1 }, context)
      if (!group) throw new GatewayError('not_found', 'no group of errors has this id', { field: 'id' })
      return group
    }
    return payload(async () => {
      await context.use.errorGroups.decide(user, namespace, id, state, find)
      return { exception: await find() }
    })
  }
}
