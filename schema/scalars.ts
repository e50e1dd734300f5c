import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { formatDurationMs, parseDurationNs } from '../src/domain/duration.js'
import { isInstant } from '../src/domain/time-range.js'
import { formatNs } from '../src/domain/timestamp.js'

function refuse(name: string, expected: string): never {
  throw new GraphQLError(`${name} must be ${expected}`, { extensions: { code: 'invalid_field' } })
}

function literalText(node: ValueNode): unknown {
  return node.kind === Kind.STRING ? node.value : undefined
}

function parseTimestamp(value: unknown): string {
  if (typeof value === 'string' && isInstant(value)) return value
  return refuse('Timestamp', 'RFC 3339, a date (UTC), Unix seconds (or ms, us, ns) as a string, or relative like "now-15m"')
}

/** Internally: bigint nanoseconds in responses, the caller's own string in arguments (the use case resolves now). */
export const Timestamp = new GraphQLScalarType<string, string>({
  name: 'Timestamp',
  description:
    'RFC 3339 instant with nanoseconds (`2026-11-20T11:40:00.123456789Z`). Input also accepts `now`, `now-15m`, a date (`2026-11-20`), times without seconds or zone (read as UTC), and Unix time in s, ms, us or ns as a string.',
  serialize: value => (typeof value === 'bigint' ? formatNs(value) : String(value)),
  parseValue: parseTimestamp,
  parseLiteral: node => parseTimestamp(literalText(node))
})

const NS_PER_MS = 1e6

function parseDuration(value: unknown): number {
  const ns = typeof value === 'string' ? parseDurationNs(value) : null
  return ns !== null ? Number(ns) / NS_PER_MS : refuse('Duration', 'a length of time such as "15s", "5m", "1h30m" or "7d"')
}

/** Inside: milliseconds, with decimals where microseconds were requested. */
export const Duration = new GraphQLScalarType<number, string>({
  name: 'Duration',
  description: 'A duration with units, as a string: `15s`, `5m`, `1h30m`, `7d`.',
  serialize: value => formatDurationMs(Number(value)),
  parseValue: parseDuration,
  parseLiteral: node => parseDuration(literalText(node))
})

function safeInteger(value: unknown): number {
  return Number.isSafeInteger(value) ? (value as number) : refuse('SafeInt', 'a whole number within ±(2^53 − 1)')
}

/** Whole numbers within 2^53, which doubles hold exactly. */
export const SafeInt = new GraphQLScalarType<number, number>({
  name: 'SafeInt',
  description: 'An integer within ±(2^53 − 1).',
  serialize: safeInteger,
  parseValue: safeInteger,
  parseLiteral: node => safeInteger(node.kind === Kind.INT ? Number(node.value) : undefined)
})

function jsonObject(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : refuse('JSONObject', 'a JSON object')
}

/** Free JSON. Who stores a value of clients bounds its size, and never looks up members by names of clients. */
export const JSONObject = new GraphQLScalarType<object, object>({
  name: 'JSONObject',
  description: 'A JSON object with arbitrary members.',
  serialize: value => value as object,
  parseValue: jsonObject,
  parseLiteral: (node, variables) => jsonObject(valueFromASTUntyped(node, variables))
})
