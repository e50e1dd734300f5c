import { Field, Float, ID, ObjectType } from 'type-graphql'
import { READ } from './descriptions.js'
import { PatternState, type ValueOf } from './enums.js'
import { FindingType } from './compare.type.js'
import { SafeInt, Timestamp } from './scalars.js'
import { CountType, FacetBucketType, QueryStatsType } from './shared.type.js'

@ObjectType('LogPattern', { description: 'Log records whose messages differ in their variable parts only.' })
export class LogPatternType {
  @Field(() => ID, { description: 'Valid in `pattern:` of the search language, forever.' }) id!: string
  @Field(() => String, { description: 'The message with its variable parts replaced: `user <*> logged in from <ip>`.' })
  template!: string
  @Field(() => SafeInt, { description: 'Records of the window; exact.' }) count!: number
  @Field(() => Float, { description: 'Share of the matching records of the window, 0 to 1.' }) share!: number
  @Field(() => Timestamp, {
    nullable: true,
    description:
      'Event time of the record that arrived first, whatever the window; older ones that arrive later do not change it.'
  })
  firstSeen!: bigint | null
  @Field(() => PatternState, { description: 'Whether it is new.' }) state!: ValueOf<typeof PatternState>
  @Field(() => Boolean, { description: 'Whether members muted it.' }) muted!: boolean
  @Field(() => String, { nullable: true, description: 'Note of the members.' }) note!: string | null
  @Field(() => FindingType, {
    nullable: true,
    description: 'With `compare`: how its share differs; null when there is no significant difference.'
  })
  change!: FindingType | null
}

@ObjectType('PatternFacts', { description: 'Extent and completeness of the patterns of a search.' })
export class PatternFactsType {
  @Field(() => SafeInt, { description: 'Matching records of the window; exact when `stats.complete`.' }) logs!: number
  @Field(() => SafeInt, {
    description:
      'Of those, records without a pattern: older than patterns, without words, or stored while the catalogue was not writable.'
  })
  unassigned!: number
  @Field(() => CountType, { description: 'All patterns of the window, those beyond `limit` included.' }) total!: CountType
  @Field(() => Boolean, { description: 'True when `patterns` with the same arguments leaves some out.' }) hasMore!: boolean
  @Field(() => SafeInt, { description: 'Patterns that were tested against the other window; 0 without `compare`.' })
  tested!: number
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}

@ObjectType('PatternVariable', { description: 'A variable part of a pattern, with its most frequent values.' })
export class PatternVariableType {
  @Field(() => String, { description: 'Key of the value (`user` of `user=<*>`), else its place: `$1` is the first.' })
  name!: string
  @Field(() => String, { description: 'Kind as in the template, such as `num` or `ip`; `*` for any.' }) kind!: string
  @Field(() => SafeInt, { description: 'Different values among the records that were read.' }) distinct!: number
  @Field(() => [FacetBucketType], { description: 'Most frequent values, shortened to 256 characters.' })
  values!: FacetBucketType[]
}
