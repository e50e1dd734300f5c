import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import type { AlertInstance } from '../src/domain/alerts/alert-state.js'
import type { RuleStatus } from '../src/alerting/rules/rule-status.js'
import { PAGE } from './descriptions.js'
import { AlertSeverity, AlertState, ThresholdOp, type ValueOf } from './enums.js'
import { Duration, JSONObject, Timestamp } from './scalars.js'
import { LabelType, PageInfoType } from './shared.type.js'

/** Reads all rules of the namespace, once for all objects of a root field. */
export type ReadRules = () => Promise<readonly RuleStatus[]>

@ObjectType('AlertGroup', { description: 'Alert rules that are evaluated at one interval.' })
export class AlertGroupType {
  @Field(() => ID, { description: 'Opaque id.' }) id!: string
  @Field(() => String, { description: 'Name, unique in the namespace.' }) name!: string
  @Field(() => Duration, { description: 'Time between two evaluations of a rule.' }) interval!: number
  @Field(() => Int, { nullable: true, description: 'Alerts of one rule, beyond which its evaluation fails; null for 1,000.' })
  limit!: number | null
  @Field(() => Duration, {
    nullable: true,
    description: 'How far before the evaluation time data is read; null for 0s with PromQL and 15s with logs and spans.'
  })
  queryOffset!: number | null
  /** Looked up when selected: field `rules` of the resolver. One read for all groups of a request. */
  allRules!: ReadRules
}

@ObjectType('AlertInstance', { description: 'An alert: one label set of a rule.' })
export class AlertInstanceType {
  @Field(() => ID, { description: 'Hash of the labels; equal for equal labels.' }) fingerprint!: string
  @Field(() => [LabelType], { description: 'Labels, `alertname` included.' }) labels!: readonly LabelType[]
  @Field(() => [LabelType], { description: 'Annotations with their templates expanded.' }) annotations!: readonly LabelType[]
  @Field(() => AlertState, { description: 'State after the last evaluation.' }) state!: ValueOf<typeof AlertState>
  @Field(() => Timestamp, { nullable: true, description: 'First of the evaluations in a row that met the condition.' })
  activeAt!: bigint | null
  @Field(() => Timestamp, { nullable: true, description: 'When it began to fire; null for one that does not.' })
  firedAt!: bigint | null
  @Field(() => Timestamp, { nullable: true, description: 'When it was resolved; null for one that is not.' })
  resolvedAt!: bigint | null
  @Field(() => Float, { nullable: true, description: 'Latest value; null for none, NaN and infinities.' }) value!: number | null
  /** Looked up when selected: field `overlays` of the resolver. */
  instance!: AlertInstance
}

@ObjectType('AlertRule', {
  description:
    'A rule and its state. An alerting rule has `alert`, a recording rule `record`; one of `expr` and `condition` is set.'
})
export class AlertRuleType {
  @Field(() => ID, { description: 'Opaque id.' }) id!: string
  @Field(() => AlertGroupType, { description: 'Rules that share its interval.' }) group!: AlertGroupType
  @Field(() => String, { nullable: true, description: 'Name of an alerting rule: the label `alertname`.' }) alert!: string | null
  @Field(() => String, { nullable: true, description: 'Name of the metric that a recording rule writes.' }) record!: string | null
  @Field(() => String, { nullable: true, description: 'PromQL.' }) expr!: string | null
  @Field(() => JSONObject, { nullable: true, description: '`logs`, `spans`, `traces`, `event` or `absence`, as in REST.' })
  condition!: object | null
  @Field(() => ThresholdOp, { nullable: true, description: 'How the value is compared; null if PromQL compares by itself.' })
  op!: ValueOf<typeof ThresholdOp> | null
  @Field(() => Float, { nullable: true, description: 'Value to compare with.' }) threshold!: number | null
  @Field(() => Float, { nullable: true, description: 'Upper bound of OUTSIDE and INSIDE.' }) upper!: number | null
  @Field(() => Duration, { description: 'How long the condition is met before the alert fires.' }) for!: number
  @Field(() => Duration, { description: 'How long the alert fires after the condition was met last.' }) keepFiringFor!: number
  @Field(() => [Int], { nullable: true, description: 'Fires when n of the last m evaluations meet the condition: [n, m].' })
  forNOfM!: readonly number[] | null
  @Field(() => String, { description: 'State without data: `nodata`, `ok`, `keep` or `firing`.' }) noData!: string
  @Field(() => String, { description: 'State after failed evaluations: `error`, `keep` or `firing`.' }) onError!: string
  @Field(() => [LabelType], { description: 'Labels of its alerts; values are templates.' }) labels!: readonly LabelType[]
  @Field(() => [LabelType], { description: 'Annotations of its alerts; values are templates.' })
  annotations!: readonly LabelType[]
  @Field(() => AlertSeverity, { nullable: true, description: 'Label `severity`; null for none.' })
  severity!: ValueOf<typeof AlertSeverity> | null
  @Field(() => Boolean, { description: 'Whether the rule is evaluated.' }) enabled!: boolean
  @Field(() => String, { nullable: true, description: 'What to do about its alerts.' }) runbookUrl!: string | null
  @Field(() => Int, { description: 'Version, to be sent with a change.' }) version!: number
  @Field(() => Timestamp, { description: 'Time of the last change.' }) updatedAt!: bigint
  @Field(() => AlertState, { description: 'The gravest state of its alerts; UNKNOWN before the first evaluation.' })
  state!: ValueOf<typeof AlertState>
  @Field(() => Timestamp, { nullable: true, description: 'Since when it has this state; null for INACTIVE.' })
  stateSince!: bigint | null
  @Field(() => Timestamp, { nullable: true, description: 'Time of the last evaluation; null before the first.' })
  lastEvaluatedAt!: bigint | null
  @Field(() => String, { nullable: true, description: 'Why the last evaluation failed; null when it did not.' })
  lastError!: string | null
  /** Looked up when selected: field `instances` of the resolver. */
  status!: RuleStatus
}

@ObjectType('AlertEvent', { description: 'An alert that changed its state.' })
export class AlertEventType {
  @Field(() => ID, { description: 'Opaque id.' }) id!: string
  @Field(() => Timestamp, { description: 'The evaluation time.' }) at!: bigint
  @Field(() => ID, { description: 'Id of the rule, which may have been deleted since.' }) ruleId!: string
  @Field(() => ID, { description: 'Value of `AlertInstance.fingerprint`.' }) fingerprint!: string
  @Field(() => AlertState, { description: 'State before.' }) from!: ValueOf<typeof AlertState>
  @Field(() => AlertState, { description: 'State from then on.' }) to!: ValueOf<typeof AlertState>
  @Field(() => Timestamp, { description: 'First of the evaluations in a row that met the condition.' }) startsAt!: bigint
  @Field(() => Boolean, { description: 'Whether it was evaluated more than an interval after its time.' }) late!: boolean
  @Field(() => Float, { nullable: true, description: 'Value at that time; null for none, NaN and infinities.' })
  value!: number | null
  @Field(() => [LabelType], { description: 'As in `AlertInstance`, at that time.' }) labels!: readonly LabelType[]
  @Field(() => [LabelType], { description: 'As in `AlertInstance`, at that time.' }) annotations!: readonly LabelType[]
  /** Looked up when selected: field `rule` of the resolver. One read for all events of a list. */
  allRules!: ReadRules
}

@ObjectType('AlertEventEdge', { description: 'An event and its cursor.' })
export class AlertEventEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => AlertEventType, { description: 'What changed.' }) node!: AlertEventType
}

@ObjectType('AlertEventConnection', { description: 'Events, newest first.' })
export class AlertEventConnectionType {
  @Field(() => [AlertEventEdgeType], { description: PAGE.edges }) edges!: readonly AlertEventEdgeType[]
  @Field(() => [AlertEventType], { description: PAGE.nodes }) nodes!: readonly AlertEventType[]
  @Field(() => PageInfoType, { description: PAGE.pageInfo }) pageInfo!: PageInfoType
}
