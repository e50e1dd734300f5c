import { Field, ID, ObjectType } from 'type-graphql'
import { PAGE, READ } from './descriptions.js'
import { GapReason, LogStreamEnd, LogStreamState, type ValueOf } from './enums.js'
import { SafeInt, Timestamp } from './scalars.js'
import { PageInfoType, QueryStatsType } from './shared.type.js'

@ObjectType('LogGap', { description: 'Lines of a log stream that are not stored.' })
export class LogGapType {
  @Field(() => ID, { description: 'The log stream that misses these lines, for `logStream`.' }) streamId!: string
  @Field(() => SafeInt, { description: 'Offset of the first byte.' }) from!: number
  @Field(() => SafeInt, { description: 'Offset behind the last byte. Of rejected records: of their batch.' }) to!: number
  @Field(() => SafeInt, { nullable: true, description: 'Lines that are missing; null when unknown, never 0.' })
  lines!: number | null
  @Field(() => GapReason, { description: 'Why they are missing.' }) reason!: ValueOf<typeof GapReason>
  @Field(() => String, { nullable: true, description: 'Error code of rejected records.' }) code!: string | null
  @Field(() => SafeInt, { description: 'Gaps that were merged into this one; 1 of most.' }) merged!: number
  @Field(() => Timestamp, { description: 'When it was found.' }) at!: bigint
}

@ObjectType('LogStream', { description: 'A file or other source whose sender numbers its lines: which of them arrived.' })
export class LogStreamType {
  @Field(() => ID, { description: 'Id that its sender chose; tag `log.stream.id` of its records.' }) id!: string
  @Field(() => String, { nullable: true, description: 'Path of the file, or name of the source.' }) path!: string | null
  @Field(() => String, { nullable: true, description: '`file`, `journald`, `docker`.' }) kind!: string | null
  @Field(() => String, { nullable: true, description: 'Service of its records.' }) service!: string | null
  @Field(() => LogStreamState, { description: 'Whether lines still come.' }) state!: ValueOf<typeof LogStreamState>
  @Field(() => LogStreamEnd, { nullable: true, description: 'Why no more lines come; null while they may.' })
  end!: ValueOf<typeof LogStreamEnd> | null
  @Field(() => SafeInt, { description: 'Offset at which it began.' }) from!: number
  @Field(() => SafeInt, { description: 'Offset behind the last byte that arrived.' }) to!: number
  @Field(() => SafeInt, { description: 'Number of its first line, from 1.' }) firstLine!: number
  @Field(() => SafeInt, { description: 'Number of the last line that arrived.' }) lastLine!: number
  @Field(() => SafeInt, { description: 'Lines that arrived, including those without a record.' }) lines!: number
  @Field(() => SafeInt, { description: 'Records that were stored.' }) stored!: number
  @Field(() => SafeInt, { description: 'Records that were rejected.' }) rejected!: number
  @Field(() => SafeInt, { description: 'Number of its gaps.' }) gapCount!: number
  @Field(() => [LogGapType], { description: 'Gaps by place: the first 10 in a list, all of `logStream`.' })
  gaps!: readonly LogGapType[]
  @Field(() => SafeInt, {
    nullable: true,
    description: 'Bytes that are not stored yet, by the latest report of the agent of its host; null when unknown.'
  })
  lagBytes!: number | null
  @Field(() => Timestamp, { description: 'Arrival of its first batch.' }) firstAt!: bigint
  @Field(() => Timestamp, { description: 'Arrival of its latest batch.' }) lastAt!: bigint
  @Field(() => Boolean, { description: 'It has no gap.' }) complete!: boolean
}

@ObjectType('StreamProof', { description: 'Whether lines of a log stream are missing in a window.' })
export class StreamProofType {
  @Field(() => Boolean, {
    description: 'The window has lines of the stream, none of them is missing, and all of it is within the retention.'
  })
  complete!: boolean
  @Field(() => String, { description: 'The result as a sentence.' }) sentence!: string
  @Field(() => SafeInt, { nullable: true, description: 'Number of the first line; null without lines.' })
  firstLine!: number | null
  @Field(() => SafeInt, { nullable: true, description: 'Number of the last line; null without lines.' })
  lastLine!: number | null
  @Field(() => SafeInt, { nullable: true, description: 'Lines that arrived and that are missing; null when unknown.' })
  expected!: number | null
  @Field(() => SafeInt, { description: 'Lines that arrived.' }) arrived!: number
  @Field(() => SafeInt, { description: 'Their records. Blank lines have none; rejected records are not stored.' })
  stored!: number
  @Field(() => SafeInt, { nullable: true, description: 'Records in the log store; null without `recount`.' })
  recounted!: number | null
  @Field(() => SafeInt, { description: 'Bytes that arrived.' }) bytes!: number
  @Field(() => [LogGapType], { description: 'Gaps that concern the window, by place.' }) gaps!: readonly LogGapType[]
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}

@ObjectType('LogStreamEdge', { description: 'A log stream with its cursor.' })
export class LogStreamEdgeType {
  @Field(() => String, { description: PAGE.cursor }) cursor!: string
  @Field(() => LogStreamType, { description: 'Log stream at this position.' }) node!: LogStreamType
}

@ObjectType('LogStreamConnection', { description: 'Log streams by id.' })
export class LogStreamConnectionType {
  @Field(() => [LogStreamEdgeType], { description: PAGE.edges }) edges!: readonly LogStreamEdgeType[]
  @Field(() => [LogStreamType], { description: PAGE.nodes }) nodes!: readonly LogStreamType[]
  @Field(() => PageInfoType, { description: PAGE.pageInfo }) pageInfo!: PageInfoType
  @Field(() => QueryStatsType, { description: READ.stats }) stats!: QueryStatsType
}
