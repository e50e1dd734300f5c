import { Arg, Ctx, Mutation, Resolver } from 'type-graphql'
import { ChangePasswordPayload } from '../schema/payload.type.js'
import { type Context, signedIn } from './context.js'
import { payload } from './refusals.js'
import { toUser } from './to-access.js'

const FIELDS = { current: 'currentPassword', next: 'newPassword' }

@Resolver()
export class PasswordMutations {
  @Mutation(() => ChangePasswordPayload, {
    description: "Changes the caller's password and ends their other sessions. Limited to 5 attempts a minute, sign-ins included."
  })
  async changePassword(
    @Arg('currentPassword', () => String, { description: 'Password until now.' }) currentPassword: string,
    @Arg('newPassword', () => String, { description: 'Password from now on, 8 to 256 characters.' }) newPassword: string,
    @Ctx() context: Context
  ): Promise<ChangePasswordPayload> {
    const user = signedIn(context)
    const { address, use } = context
    return payload(async () => {
      await use.passwordChange.change(user, { currentPassword, newPassword, address }, FIELDS)
      return { user: toUser(await use.members.self(user)) }
    })
  }
}
