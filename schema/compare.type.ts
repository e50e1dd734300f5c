import { Field, Float, Int, ObjectType } from 'type-graphql'
import { READ } from './descriptions.js'
import { ComparedSide, FindingKind, type ValueOf } from './enums.js'
import { SafeInt } from './scalars.js'
import { QueryStatsType, SkippedFieldType, TimeWindowType } from './shared.type.js'

@ObjectType('Finding', { description: 'A significant difference between two sides: windows, or filters.' })
export class FindingType {
  @Field(() => FindingKind, { description: 'What differs.' }) kind!: ValueOf<typeof FindingKind>
  @Field(() => String, {
    description: 'Its name: a field, the template of a pattern, type and message of an error group, PromQL of a metric.'
  })
  name!: string
  @Field(() => String, {
    nullable: true,
    description:
      'Its value: of a field, the id of a pattern or exception, the numbers that are counted; null for the presence of a field.'
  })
  value!: string | null
  @Field(() => SafeInt, { description: 'Rows of the base with it; exact. Errors of an error group, points of a metric.' })
  baseCount!: number
  @Field(() => SafeInt, {
    description: 'Rows of the base; of a measure those with a number, of an error group with its errors; points of a metric.'
  })
  baseTotal!: number
  @Field(() => SafeInt, { description: 'Rows of the other side with it; exact.' }) otherCount!: number
  @Field(() => SafeInt, { description: 'As `baseTotal`, of the other side.' }) otherTotal!: number
  @Field(() => Float, { description: 'Binary logarithm of the ratio of both shares; 1 is twice as much.' }) effect!: number
  @Field(() => Float, { description: 'The p-value, corrected for everything that was tested (Benjamini and Hochberg).' })
  q!: number
  @Field(() => String, {
    description: 'Search that finds the rows, with the window and the filters of `evidenceSide`; of a metric PromQL.'
  })
  evidence!: string
  @Field(() => ComparedSide, { description: 'Side with the larger share.' }) evidenceSide!: ValueOf<typeof ComparedSide>
}

@ObjectType('ComparedRows', { description: 'The rows of one side of a comparison.' })
export class ComparedRowsType {
  @Field(() => TimeWindowType, { description: READ.window }) window!: TimeWindowType
  @Field(() => SafeInt, { description: 'Matching rows; exact.' }) rows!: number
}

@ObjectType('Comparison', { description: 'Differences of two sides. An empty list of findings means: nothing significant.' })
export class ComparisonType {
  @Field(() => [FindingType], { description: 'Significant differences, largest effect first.' }) findings!: readonly FindingType[]
  @Field(() => Boolean, { description: 'Whether `limit` left some out.' }) hasMore!: boolean
  @Field(() => Int, { description: 'Values, measures and patterns that were tested.' }) tested!: number
  @Field(() => [SkippedFieldType], { description: 'Fields that were not compared.' }) skipped!: readonly SkippedFieldType[]
  @Field(() => ComparedRowsType, { description: 'What was compared with.' }) base!: ComparedRowsType
  @Field(() => ComparedRowsType, { description: 'What was examined.' }) other!: ComparedRowsType
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}
