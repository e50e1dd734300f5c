import { ArgsType, Field, ID, Int, InputType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { SortDirection, type ValueOf, LogLevel } from './enums.js'
import { TimeRangeInput, FieldFilterInput } from './shared.input.js'
import { parametersOf } from '../src/domain/records/field.js'
import { LOG } from '../src/domain/records/log.js'

@InputType('LogFilter', { description: 'Conditions on log records; all must match. An empty filter matches every record.' })
export class LogFilterInput {
  @Field(() => String, { nullable: true, description: READ.query }) query?: string | null
  @Field(() => [FieldFilterInput], { nullable: true, description: READ.where }) where?: FieldFilterInput[] | null
  @Field(() => [LogLevel], { nullable: true, description: 'Records with any of these levels.' })
  levels?: ValueOf<typeof LogLevel>[] | null
}

/** Conditions on the values of fields of the record's table. Levels are an enum, above. */
export const LOG_FILTERS = parametersOf(LOG).filter(({ key }) => key !== 'level')

for (const { parameter } of LOG_FILTERS) {
  const { name, isMany, description } = parameter
  Field(() => (isMany ? [String] : String), { nullable: true, description })(LogFilterInput.prototype, name)
}

@ArgsType()
class LogScopeArgs {
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
  @Field(() => LogFilterInput, { nullable: true, description: 'Conditions on the records; absent: all records.' })
  filter?: LogFilterInput | null
}

/** Arguments of `logs`. */
@ArgsType()
export class LogsArgs extends LogScopeArgs {
  @Field(() => Int, { nullable: true, description: 'Length of a forward page; default 100, at most 5,000.' })
  first?: number | null
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
  @Field(() => Int, { nullable: true, description: 'Length of a backward page; not with `first` or `after`.' })
  last?: number | null
  @Field(() => String, { nullable: true, description: PAGE.before }) before?: string | null
  @Field(() => ID, {
    nullable: true,
    description:
      'Id of a record: the page has `first` rows around it, half before and half after, and the record itself even if it does not match; `startCursor` and `endCursor` continue both ways.'
  })
  around?: string | null
  @Field(() => SortDirection, {
    nullable: true,
    defaultValue: SortDirection.DESC,
    description: 'Order by event time; DESC is latest first.'
  })
  order!: ValueOf<typeof SortDirection>
}

/** Arguments of `logFields`. */
@ArgsType()
export class LogFieldsArgs extends LogScopeArgs {
  @Field(() => String, { nullable: true, description: 'Only field names that contain this substring, case-insensitive.' })
  contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 200, description: 'Maximum number of fields, 1 to 1,000.' }) limit!: number
}

/** Arguments of `logFieldValues`. */
@ArgsType()
export class LogFieldValuesArgs extends LogScopeArgs {
  @Field(() => String, { description: 'Well-known field, or path into `log_fields` or `tags`.' }) field!: string
  @Field(() => String, { nullable: true, description: 'Only values that contain this substring, case-insensitive.' })
  contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Maximum number of values, 1 to 1,000.' }) limit!: number
}

/** Arguments of `histogram`. */
@ArgsType()
export class HistogramArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: 60,
    description: 'Requested number of buckets, 1 to 1,000; the result can have fewer.'
  })
  buckets!: number
  @Field(() => String, { nullable: true, description: 'Field that splits the counts into one series per value.' })
  by?: string | null
}

/** Arguments of `facets`. */
@ArgsType()
export class FacetsArgs {
  @Field(() => [String], { description: 'Field names; a query can compute at most 20 facets.' }) fields!: string[]
  @Field(() => String, {
    nullable: true,
    description: 'Only values that contain this substring, case-insensitive, of the records that have one.'
  })
  contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 10, description: 'Values per field, 1 to 1,000.' }) limit!: number
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: true,
    description: 'Removes conditions on the field itself before counting.'
  })
  excludeSelf!: boolean
}

/** Arguments of `patterns` and `patternFacts`. */
@ArgsType()
export class PatternsArgs {
  @Field(() => Int, { nullable: true, defaultValue: 20, description: 'Number of patterns, 1 to 100.' }) limit!: number
  @Field(() => TimeRangeInput, {
    nullable: true,
    description: 'Another window: significant changes against it come first, vanished patterns included.'
  })
  compare?: TimeRangeInput | null
}

/** Arguments of `surrounding`. */
@ArgsType()
export class SurroundingArgs {
  @Field(() => Int, { nullable: true, defaultValue: 10, description: 'Number of earlier records, at most 100.' }) before!: number
  @Field(() => Int, { nullable: true, defaultValue: 10, description: 'Number of later records, at most 100.' }) after!: number
}
