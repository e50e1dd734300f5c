import { Field, ID, ObjectType } from 'type-graphql'
import { AlertGroupType, AlertRuleType } from './alert.type.js'
import { ApiKeyType, InvitationType, MembershipType, UserType } from './access.type.js'
import { ExceptionGroupType } from './exception.type.js'
import { UserErrorCode, type ValueOf } from './enums.js'
import { LogPatternType } from './log-pattern.type.js'
import { NamespaceType } from './namespace.type.js'
import { TestSpanType } from './otlp.type.js'
import { SavedViewType } from './saved-view.type.js'
import { JSONObject } from './scalars.js'

@ObjectType('UserError', {
  description:
    'Reason for which a mutation was rejected. Missing authentication, missing permissions and internal errors are top-level errors instead.'
})
export class UserErrorType {
  @Field(() => UserErrorCode, { description: 'Machine-readable reason.' }) code!: ValueOf<typeof UserErrorCode>
  @Field(() => String, { description: 'Sentence for a person.' }) message!: string
  @Field(() => [String], {
    nullable: true,
    description: 'Path of the rejected argument, for example ["retention", "logs"]; null for the whole request.'
  })
  field?: readonly string[] | null
}

/** What every payload has. */
@ObjectType()
export abstract class Payload {
  @Field(() => [UserErrorType], { description: 'Reasons for a rejection; empty on success.' })
  userErrors!: readonly UserErrorType[]
}

@ObjectType('CreateNamespacePayload', { description: 'Result of `createNamespace`.' })
export class CreateNamespacePayload extends Payload {
  @Field(() => NamespaceType, { nullable: true, description: 'New namespace; null on rejection.' })
  namespace?: NamespaceType | null
}

@ObjectType('SwitchNamespacePayload', { description: 'Result of `switchNamespace`.' })
export class SwitchNamespacePayload extends Payload {
  @Field(() => NamespaceType, { nullable: true, description: 'Active namespace from now on; null on rejection.' })
  namespace?: NamespaceType | null
  @Field(() => String, {
    nullable: true,
    description: 'Access token (JWT) for the namespace, valid for 15 minutes; null on rejection.'
  })
  accessToken?: string | null
}

@ObjectType('ChangePasswordPayload', { description: 'Result of `changePassword`.' })
export class ChangePasswordPayload extends Payload {
  @Field(() => UserType, { nullable: true, description: 'The caller; null on rejection.' }) user?: UserType | null
}

@ObjectType('NamespacePayload', { description: 'Result of a mutation that changes a namespace.' })
export class NamespacePayload extends Payload {
  @Field(() => NamespaceType, { nullable: true, description: 'Namespace after the change; null on rejection.' })
  namespace?: NamespaceType | null
}

@ObjectType('MembershipPayload', { description: 'Result of a mutation that changes a membership.' })
export class MembershipPayload extends Payload {
  @Field(() => MembershipType, { nullable: true, description: 'Membership after the change; null on rejection.' })
  membership?: MembershipType | null
}

@ObjectType('InvitationPayload', { description: 'Result of `inviteMember`.' })
export class InvitationPayload extends Payload {
  @Field(() => InvitationType, { nullable: true, description: 'New invitation; null on rejection.' })
  invitation?: InvitationType | null
  @Field(() => String, { nullable: true, description: 'Token to pass on to the invited user. It is returned only here.' })
  token?: string | null
}

@ObjectType('CreateApiKeyPayload', { description: 'Result of `createApiKey` and `rotateApiKey`.' })
export class CreateApiKeyPayload extends Payload {
  @Field(() => ApiKeyType, { nullable: true, description: 'New or rotated key; null on rejection.' }) apiKey?: ApiKeyType | null
  @Field(() => String, { nullable: true, description: 'Secret of the key. It is returned only here.' }) secret?: string | null
}

@ObjectType('ApiKeyPayload', { description: 'Result of `revokeApiKey`.' })
export class ApiKeyPayload extends Payload {
  @Field(() => ApiKeyType, { nullable: true, description: 'Revoked key; null on rejection.' }) apiKey?: ApiKeyType | null
}

@ObjectType('ExceptionPayload', { description: 'Result of `setExceptionState`.' })
export class ExceptionPayload extends Payload {
  @Field(() => ExceptionGroupType, { nullable: true, description: 'Group with its new state; null on rejection.' })
  exception?: ExceptionGroupType | null
}

@ObjectType('TestSpanPayload', { description: 'Result of `sendTestSpan`.' })
export class TestSpanPayload extends Payload {
  @Field(() => TestSpanType, { nullable: true, description: 'The sent span; null on rejection.' }) span?: TestSpanType | null
}

@ObjectType('SavedViewPayload', { description: 'Result of `saveView`.' })
export class SavedViewPayload extends Payload {
  @Field(() => SavedViewType, { nullable: true, description: 'Stored view; null on rejection.' })
  savedView?: SavedViewType | null
}

@ObjectType('AlertGroupPayload', { description: 'Result of `saveAlertGroup`.' })
export class AlertGroupPayload extends Payload {
  @Field(() => AlertGroupType, { nullable: true, description: 'Stored group; null on rejection.' })
  group?: AlertGroupType | null
}

@ObjectType('AlertRulePayload', { description: 'Result of a mutation that stores an alert rule.' })
export class AlertRulePayload extends Payload {
  @Field(() => AlertRuleType, { nullable: true, description: 'Stored rule; null on rejection.' })
  alertRule?: AlertRuleType | null
}

@ObjectType('PreferencesPayload', { description: 'Result of `setPreferences`.' })
export class PreferencesPayload extends Payload {
  @Field(() => JSONObject, { nullable: true, description: 'Preferences from now on; null on rejection.' })
  preferences?: object | null
}

@ObjectType('DeletePayload', { description: 'Result of a mutation that removes an object.' })
export class DeletePayload extends Payload {
  @Field(() => ID, { nullable: true, description: 'Id of the removed object; null on rejection.' }) deletedId?: string | null
}

@ObjectType('LogPatternPayload', { description: 'Result of `updatePattern`.' })
export class LogPatternPayload extends Payload {
  @Field(() => LogPatternType, { nullable: true, description: 'Pattern after the change; null on rejection.' })
  pattern?: LogPatternType | null
}
