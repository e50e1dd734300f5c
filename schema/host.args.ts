import { ArgsType, Field, ID, Int } from 'type-graphql'
import { PAGE } from './descriptions.js'
import { HostState, ProcessOrder, type ValueOf } from './enums.js'
import { RangeArgs } from './service.args.js'

/** Arguments of `hostPage`, `hosts`. */
@ArgsType()
export class HostsArgs {
  @Field(() => String, {
    nullable: true,
    description: 'Only names that contain this substring, case-insensitive; at most 256 characters.'
  })
  contains?: string | null
  @Field(() => [HostState], { nullable: true, description: 'Only hosts in these states; absent: all states.' })
  states?: ValueOf<typeof HostState>[] | null
  @Field(() => Int, { nullable: true, defaultValue: 100, description: 'Hosts per page, 0 to 500.' }) first!: number | null
  @Field(() => String, { nullable: true, description: PAGE.after }) after?: string | null
}

/** Arguments of `series`. */
@ArgsType()
export class HostSeriesArgs extends RangeArgs {
  @Field(() => Int, { nullable: true, defaultValue: 60, description: 'Requested number of points, 1 to 500.' })
  buckets!: number | null
}

/** Arguments of `processes`. */
@ArgsType()
export class ProcessesArgs {
  @Field(() => ProcessOrder, { nullable: true, defaultValue: ProcessOrder.CPU, description: 'Sort key.' })
  by!: ValueOf<typeof ProcessOrder> | null
  @Field(() => Int, { nullable: true, defaultValue: 10, description: 'Maximum number of processes, 0 to 100.' })
  limit!: number | null
}

/** Arguments of `listeners` and `listenerPage`. */
@ArgsType()
export class ListenersArgs {
  @Field(() => ID, { nullable: true, description: 'Only sockets of this host: its name, or id of the machine.' })
  host?: string | null
  @Field(() => String, { nullable: true, description: 'Only sockets of this service.' }) service?: string | null
  @Field(() => Int, { nullable: true, description: 'Only this port.' }) port?: number | null
  @Field(() => Boolean, { nullable: true, description: 'Only open sockets, or only closed ones; absent: both.' })
  open?: boolean | null
  @Field(() => Int, { nullable: true, defaultValue: 1_000, description: 'Maximum number of sockets, 1 to 5,000.' })
  first!: number | null
}
