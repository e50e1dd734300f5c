import { Field, Float, InputType, ObjectType } from 'type-graphql'
import { SecretDetector, type ValueOf } from './enums.js'
import { Payload } from './payload.type.js'
import { JSONObject } from './scalars.js'

const DETECTORS = 'Kinds of secrets that are found by their form.'
const KEYS = 'Names of members whose values are replaced, case-insensitive: whole dotted paths or their ends. At most 100.'
const LITERALS = 'Strings that are replaced wherever they occur; at most 50 of 4 to 256 characters.'
const NAME = 'Name in counters and responses, unique in the namespace.'
const QUERY = 'Logs that it is about: search language without regular expressions.'
const KEEP = 'Share of them that is stored, from 0 to less than 1.'
const WHEN = 'Members and their values that identify the sender; empty for all logs.'
const OVERRIDES = 'Parameters of `POST /api/v1/logs` by name, such as `message_field`.'

@ObjectType('RedactionRules', { description: 'What is replaced in records before they are stored.' })
export class RedactionRulesType {
  @Field(() => [SecretDetector], { description: DETECTORS }) detectors!: readonly ValueOf<typeof SecretDetector>[]
  @Field(() => [String], { description: KEYS }) keys!: readonly string[]
  @Field(() => [String], { description: LITERALS }) literals!: readonly string[]
}

@ObjectType('DropRule', { description: 'Logs that are not stored, or only in part. The first rule that matches a log decides.' })
export class DropRuleType {
  @Field(() => String, { description: NAME }) name!: string
  @Field(() => String, { description: QUERY }) query!: string
  @Field(() => Float, { description: KEEP }) keep!: number
}

@ObjectType('FieldRule', {
  description: 'Which members of the logs of a sender are their message, time, level and so on. The first that matches decides.'
})
export class FieldRuleType {
  @Field(() => JSONObject, { description: WHEN }) when!: object
  @Field(() => JSONObject, { description: OVERRIDES }) overrides!: object
}

@ObjectType('LogRules', { description: 'What happens to the records of a namespace before they are stored.' })
export class LogRulesType {
  @Field(() => RedactionRulesType, { description: 'What is replaced.' }) redact!: RedactionRulesType
  @Field(() => [DropRuleType], { description: 'Logs that are dropped, by the first rule that matches.' })
  drop!: readonly DropRuleType[]
  @Field(() => [FieldRuleType], { description: 'How logs of senders are recognized.' }) fields!: readonly FieldRuleType[]
}

@InputType('RedactionRulesInput', { description: 'What is to be replaced in records before they are stored.' })
export class RedactionRulesInput {
  @Field(() => [SecretDetector], { defaultValue: [], description: DETECTORS })
  detectors!: readonly ValueOf<typeof SecretDetector>[]
  @Field(() => [String], { defaultValue: [], description: KEYS }) keys!: readonly string[]
  @Field(() => [String], { defaultValue: [], description: LITERALS }) literals!: readonly string[]
}

@InputType('DropRuleInput', { description: 'Logs that are not to be stored, or only in part.' })
export class DropRuleInput {
  @Field(() => String, { description: NAME }) name!: string
  @Field(() => String, { description: QUERY }) query!: string
  @Field(() => Float, { defaultValue: 0, description: KEEP }) keep!: number
}

@InputType('FieldRuleInput', { description: 'How the logs of a sender are to be recognized.' })
export class FieldRuleInput {
  @Field(() => JSONObject, { description: WHEN }) when!: object
  @Field(() => JSONObject, { description: OVERRIDES }) overrides!: object
}

@InputType('LogRulesInput', { description: 'Rules that replace those of the namespace.' })
export class LogRulesInput {
  @Field(() => RedactionRulesInput, { description: 'What is replaced.' }) redact!: RedactionRulesInput
  @Field(() => [DropRuleInput], { defaultValue: [], description: 'Logs that are dropped.' }) drop!: readonly DropRuleInput[]
  @Field(() => [FieldRuleInput], { defaultValue: [], description: 'How logs of senders are recognized.' })
  fields!: readonly FieldRuleInput[]
}

@ObjectType('LogRulesPayload', { description: 'Result of `setLogRules`.' })
export class LogRulesPayload extends Payload {
  @Field(() => LogRulesType, { nullable: true, description: 'Rules in force from now on; null on rejection.' })
  logRules?: LogRulesType | null
}
