import type { ParsedLine } from './parsed-line.js'

/** What a line of syslog states. */
export interface SyslogLine extends ParsedLine {
  readonly timestamp: string
}

/** Members are added one by one: objects that are spread into another one cost most of the time of a line. */
export type Found = { -readonly [Name in keyof SyslogLine]: SyslogLine[Name] }

/** As journald and the service spell levels. */
export const LEVELS = ['0', '1', '2', '3', '4', '5', '6', '7'] as const
