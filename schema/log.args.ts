import { ArgsType, Field, Int } from 'type-graphql'
import { SortDirection, type ValueOf } from './enums.js'
import { LogFilterInput } from './log.input.js'
import { TimeRangeInput } from './shared.input.js'

@ArgsType()
class LogScopeArgs {
  @Field(() => TimeRangeInput) range!: TimeRangeInput
  @Field(() => LogFilterInput, { nullable: true }) filter?: LogFilterInput | null
}

@ArgsType()
export class LogsArgs extends LogScopeArgs {
  @Field(() => Int, { nullable: true }) first?: number | null
  @Field(() => String, { nullable: true }) after?: string | null
  @Field(() => Int, { nullable: true }) last?: number | null
  @Field(() => String, { nullable: true }) before?: string | null
  @Field(() => SortDirection, { nullable: true, defaultValue: SortDirection.DESC }) order!: ValueOf<typeof SortDirection>
}

@ArgsType()
export class LogFieldsArgs extends LogScopeArgs {
  @Field(() => String, { nullable: true }) contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 200 }) limit!: number
}

@ArgsType()
export class LogFieldValuesArgs extends LogScopeArgs {
  @Field(() => String) field!: string
  @Field(() => String, { nullable: true }) contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 50 }) limit!: number
}

@ArgsType()
export class HistogramArgs {
  @Field(() => Int, { nullable: true, defaultValue: 60 }) buckets!: number
  @Field(() => String, { nullable: true }) by?: string | null
}

@ArgsType()
export class FacetsArgs {
  @Field(() => [String]) fields!: string[]
  @Field(() => Int, { nullable: true, defaultValue: 10 }) limit!: number
  @Field(() => Boolean, { nullable: true, defaultValue: true }) excludeSelf!: boolean
}

@ArgsType()
export class SurroundingArgs {
  @Field(() => Int, { nullable: true, defaultValue: 10 }) before!: number
  @Field(() => Int, { nullable: true, defaultValue: 10 }) after!: number
}
