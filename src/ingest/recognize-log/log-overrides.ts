import { GatewayError } from '../../domain/errors.js'
import type { EpochUnit } from '../../domain/timestamp.js'
import { type LogRow, OWN_NAMES } from './log-members.js'
import { DEFAULT_LOG_OPTIONS, isWrapper, type LogOptions, takenMember } from './log-options.js'
import type { LogOverride, LogOverrides } from './override-names.js'
import { indexMembers, KNOWN_ROWS, type RowMembers } from './member-index.js'
import { parseTimeZone } from './time-zone.js'

const MAX_PATHS = 8
const MAX_PATH_LENGTH = 128
const MAX_PATH_PARTS = 6
const MAX_CONSTANT_LENGTH = 1_024
const MAX_TAGS = 20
const UNITS: ReadonlySet<string> = new Set(['s', 'ms', 'us', 'ns'])
const ROW_OF: readonly (readonly [override: LogOverride, row: LogRow])[] = [
  ['message_field', 'message'],
  ['time_field', 'time'],
  ['level_field', 'level'],
  ['service_field', 'service'],
  ['host_field', 'host'],
  ['trace_field', 'trace_id']
]

function refuse(override: LogOverride, detail: string): never {
  throw new GatewayError('invalid_field', `${override} ${detail}`, { field: override })
}

/** Dotted paths of a list; none when the override is not given. */
function pathsOf(overrides: LogOverrides, override: LogOverride): readonly string[] {
  const paths = (overrides[override] ?? '')
    .split(',')
    .map(path => path.trim())
    .filter(path => path !== '')
  if (paths.length > MAX_PATHS) refuse(override, `names ${paths.length} members, at most ${MAX_PATHS} are allowed`)
  for (const path of paths) {
    if (path.length > MAX_PATH_LENGTH) refuse(override, `names a member of more than ${MAX_PATH_LENGTH} characters`)
    if (path.split('.').length > MAX_PATH_PARTS) refuse(override, `names a member deeper than ${MAX_PATH_PARTS} levels`)
  }
  return paths
}

/** A row whose members are named: they come first, then the names of this interface; the table is not consulted. */
function rowsWith(overrides: LogOverrides): RowMembers {
  const rows = { ...KNOWN_ROWS }
  for (const [override, row] of ROW_OF) {
    const named = pathsOf(overrides, override)
    if (named.length === 0) continue
    rows[row] = { paths: [...named, ...KNOWN_ROWS[row].paths.filter(path => OWN_NAMES.has(path))], named: named.length }
  }
  return rows
}

function constant(overrides: LogOverrides, override: 'service' | 'host'): string | undefined {
  const text = overrides[override]
  if (text !== undefined && text.length > MAX_CONSTANT_LENGTH)
    refuse(override, `must have at most ${MAX_CONSTANT_LENGTH} characters`)
  return text
}

/** `k=v,k=v`. */
function tagsOf(overrides: LogOverrides): ReadonlyMap<string, string> {
  const pairs = (overrides.tags ?? '').split(',').filter(pair => pair.trim() !== '')
  if (pairs.length > MAX_TAGS) refuse('tags', `has ${pairs.length} tags, at most ${MAX_TAGS} are allowed`)
  return new Map(
    pairs.map(pair => {
      const at = pair.indexOf('=')
      const name = pair.slice(0, at).trim()
      if (at <= 0 || name === '') refuse('tags', 'must be name=value pairs, separated by commas')
      if (pair.length > MAX_CONSTANT_LENGTH) refuse('tags', `has a pair of more than ${MAX_CONSTANT_LENGTH} characters`)
      return [name, pair.slice(at + 1).trim()]
    })
  )
}

function timeOf(overrides: LogOverrides): LogOptions['time'] {
  const { time_unit: unit, timezone } = overrides
  if (unit !== undefined && !UNITS.has(unit)) refuse('time_unit', 'must be one of s, ms, us, ns')
  const zone = timezone === undefined ? undefined : parseTimeZone(timezone)
  if (zone === null) refuse('timezone', 'must be a name of the IANA database (Europe/Berlin) or an offset (+01:00)')
  return { unit: unit as EpochUnit | undefined, zone }
}

function parsesMessageOf(overrides: LogOverrides): LogOptions['parsesMessageOf'] {
  const { parse_message: parse } = overrides
  if (parse === undefined) return isWrapper
  if (parse !== 'true' && parse !== 'false') refuse('parse_message', 'must be true or false')
  return () => parse === 'true'
}

/** How the logs of a request are recognized. Throws `invalid_field` for an override that cannot be followed. */
export function parseLogOverrides(overrides: LogOverrides): LogOptions {
  if (Object.keys(overrides).length === 0) return DEFAULT_LOG_OPTIONS
  const service = constant(overrides, 'service')
  const host = constant(overrides, 'host')
  return {
    overrides,
    index: indexMembers(rowsWith(overrides)),
    looksAtAll: true,
    named: ROW_OF.flatMap(([override]) => pathsOf(overrides, override).map(path => ({ override, path }))),
    time: timeOf(overrides),
    constants: { ...(service !== undefined && { service }), ...(host !== undefined && { host }) },
    tags: tagsOf(overrides),
    tagMembers: pathsOf(overrides, 'tag_fields').map(takenMember),
    ignored: pathsOf(overrides, 'ignore_fields').map(takenMember),
    parsesMessageOf: parsesMessageOf(overrides)
  }
}
