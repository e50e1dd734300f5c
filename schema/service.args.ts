import { ArgsType, Field, ID, Int } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { ServiceOrder, type ValueOf } from './enums.js'
import { LogFilterInput } from './log.args.js'
import { TimeRangeInput } from './shared.input.js'
import { TraceFilterInput } from './trace.args.js'

/** Arguments of `serviceList` and `services`. */
@ArgsType()
export class ServicesArgs {
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
  @Field(() => String, { nullable: true, description: 'Only service names that contain this substring, case-insensitive.' })
  contains?: string | null
  @Field(() => Int, { nullable: true, defaultValue: 100, description: 'Maximum number of services, 1 to 1,000.' })
  first!: number | null
  @Field(() => ServiceOrder, { nullable: true, defaultValue: ServiceOrder.NAME, description: 'Sort key.' })
  orderBy!: ValueOf<typeof ServiceOrder> | null
}

/** Arguments of `change`, `downstream`, `hosts`, `red`, `releases`, `upstream`. */
@ArgsType()
export class RangeArgs {
  @Field(() => TimeRangeInput, { description: READ.range }) range!: TimeRangeInput
}

/** Arguments of `apdex`. */
@ArgsType()
export class ApdexArgs extends RangeArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: 500,
    description: 'Duration of a satisfying request in milliseconds, 1 to 600,000. Up to four times as long is tolerable.'
  })
  thresholdMs!: number | null
}

/** Arguments of `redSeries`. */
@ArgsType()
export class RedSeriesArgs extends RangeArgs {
  @Field(() => Int, {
    nullable: true,
    defaultValue: 60,
    description: 'Requested number of buckets, 1 to 500; 0 results in null.'
  })
  buckets!: number | null
}

/** Arguments of `exceptions`. */
@ArgsType()
export class OperationsArgs extends RangeArgs {
  @Field(() => Int, { nullable: true, defaultValue: 50, description: 'Maximum number of entries, at most 1,000.' })
  first!: number | null
}

/** Arguments of `operations`. */
@ArgsType()
export class OrderedOperationsArgs extends OperationsArgs {
  @Field(() => ServiceOrder, { nullable: true, defaultValue: ServiceOrder.RATE, description: 'Sort key.' })
  orderBy!: ValueOf<typeof ServiceOrder> | null
}

/** Arguments of `serviceMap`. */
@ArgsType()
export class ServiceMapArgs extends RangeArgs {
  @Field(() => ID, { nullable: true, description: 'Restricts the map to the callers and callees of this service.' })
  service?: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'Calls between `service` and an edge, 1 to 10; default 2. Requires `service`.'
  })
  depth?: number | null
}

/** Arguments of `traces`. */
@ArgsType()
export class ServiceTracesArgs extends RangeArgs {
  @Field(() => TraceFilterInput, { nullable: true, description: 'Further conditions on the traces.' })
  filter?: TraceFilterInput | null
  @Field(() => Int, { nullable: true, defaultValue: 20, description: 'Traces per page, at most 200.' }) first?: number | null
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}

/** Arguments of `logs`. */
@ArgsType()
export class ServiceLogsArgs extends RangeArgs {
  @Field(() => LogFilterInput, { nullable: true, description: 'Further conditions on the records.' })
  filter?: LogFilterInput | null
  @Field(() => Int, { nullable: true, defaultValue: 100, description: 'Records per page, at most 5,000.' }) first?: number | null
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}
