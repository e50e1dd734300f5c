import { Field, ID, ObjectType } from 'type-graphql'
import { ApiKeyType, InvitationType, MembershipType, UserType } from './access.type.js'
import { ExceptionGroupType } from './exception.type.js'
import { UserErrorCode, type ValueOf } from './enums.js'
import { NamespaceType } from './namespace.type.js'
import { TestSpanType } from './otlp.type.js'

@ObjectType('UserError', {
  description:
    'A mutation that was understood but refused says why here, next to a null object; authentication and faults stay top-level errors.'
})
export class UserErrorType {
  @Field(() => UserErrorCode) code!: ValueOf<typeof UserErrorCode>
  @Field(() => String) message!: string
  @Field(() => [String], { nullable: true, description: 'Path into the input, e.g. ["input","panels","2","title"].' })
  field?: readonly string[] | null
}

@ObjectType()
abstract class Payload {
  @Field(() => [UserErrorType]) userErrors!: readonly UserErrorType[]
}

@ObjectType('CreateNamespacePayload')
export class CreateNamespacePayload extends Payload {
  @Field(() => NamespaceType, { nullable: true }) namespace?: NamespaceType | null
}

@ObjectType('SwitchNamespacePayload')
export class SwitchNamespacePayload extends Payload {
  @Field(() => NamespaceType, { nullable: true }) namespace?: NamespaceType | null
  @Field(() => String, { nullable: true }) accessToken?: string | null
}

@ObjectType('ChangePasswordPayload')
export class ChangePasswordPayload extends Payload {
  @Field(() => UserType, { nullable: true }) user?: UserType | null
}

@ObjectType('NamespacePayload')
export class NamespacePayload extends Payload {
  @Field(() => NamespaceType, { nullable: true }) namespace?: NamespaceType | null
}

@ObjectType('MembershipPayload')
export class MembershipPayload extends Payload {
  @Field(() => MembershipType, { nullable: true }) membership?: MembershipType | null
}

@ObjectType('InvitationPayload')
export class InvitationPayload extends Payload {
  @Field(() => InvitationType, { nullable: true }) invitation?: InvitationType | null
  @Field(() => String, { nullable: true, description: 'Shown this once.' }) token?: string | null
}

@ObjectType('CreateApiKeyPayload')
export class CreateApiKeyPayload extends Payload {
  @Field(() => ApiKeyType, { nullable: true }) apiKey?: ApiKeyType | null
  @Field(() => String, { nullable: true, description: 'The secret, shown this once.' }) secret?: string | null
}

@ObjectType('ApiKeyPayload')
export class ApiKeyPayload extends Payload {
  @Field(() => ApiKeyType, { nullable: true }) apiKey?: ApiKeyType | null
}

@ObjectType('ExceptionPayload')
export class ExceptionPayload extends Payload {
  @Field(() => ExceptionGroupType, { nullable: true }) exception?: ExceptionGroupType | null
}

@ObjectType('TestSpanPayload')
export class TestSpanPayload extends Payload {
  @Field(() => TestSpanType, { nullable: true }) span?: TestSpanType | null
}

@ObjectType('DeletePayload')
export class DeletePayload extends Payload {
  @Field(() => ID, { nullable: true }) deletedId?: string | null
}
