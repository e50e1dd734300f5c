import { formatDurationMs, parseDurationMs } from '../../../domain/duration.js'
import { GatewayError } from '../../../domain/errors.js'
import { RegexBound } from '../../../query/promql/regex-bound.js'
import { parseMatchers } from './matchers.js'
import { type GroupBy, type InhibitRule, matchersKey, type Route, type Routing } from './routing.js'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Bytes of JSON of a routing document. */
export const MAX_ROUTING_BYTES = 64 * 1024
/** Routes of the tree, the root included. */
export const MAX_ROUTES = 200
/** Levels of the tree below the root. */
export const MAX_ROUTE_DEPTH = 10
/** Inhibitions of a namespace. */
export const MAX_INHIBITIONS = 100
/** Names in one list of a route or an inhibition. */
export const MAX_ROUTE_NAMES = 20
const MAX_NAME_CHARS = 256

const ROUTE_MEMBERS = [
  'channels',
  'matchers',
  'group_by',
  'group_wait',
  'group_interval',
  'repeat_interval',
  'mute_times',
  'continue',
  'routes'
]
const INHIBIT_MEMBERS = ['source', 'target', 'equal']
const DOCUMENT_MEMBERS = ['route', 'inhibit']

const GROUP_WAIT = { min: 0, max: HOUR_MS }
const GROUP_INTERVAL = { min: 10 * SECOND_MS, max: DAY_MS }
const REPEAT_INTERVAL = { min: MINUTE_MS, max: 30 * DAY_MS }

/** What a route has when neither it nor a parent sets it. Alertmanager groups by no label; here one rule is one group. */
const DEFAULTS: Inherited = {
  channels: [],
  groupBy: ['alertname'],
  groupWaitMs: 30 * SECOND_MS,
  groupIntervalMs: 5 * MINUTE_MS,
  repeatIntervalMs: 4 * HOUR_MS
}

type Inherited = Pick<Route, 'channels' | 'groupBy' | 'groupWaitMs' | 'groupIntervalMs' | 'repeatIntervalMs'>
type Members = Readonly<Record<string, unknown>>

/** The routing of a namespace that has stored none: every alert takes the root, which notifies no one. */
export const NO_ROUTING: Routing = {
  root: { ...DEFAULTS, key: '{}', matchers: [], muteTimes: [], continues: false, routes: [] },
  inhibit: []
}

function invalid(field: string, detail: string): GatewayError {
  return new GatewayError('invalid_field', `${field} ${detail}`, { field })
}

function objectAt(value: unknown, field: string, known: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(field, 'must be an object')
  const unknown = Object.keys(value).find(name => !known.includes(name))
  if (unknown !== undefined) {
    throw invalid(`${field}.${unknown.slice(0, MAX_NAME_CHARS)}`, `is not known; members are ${known.join(', ')}`)
  }
  return value as Members
}

function listAt(value: unknown, field: string, max: number): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw invalid(field, 'must be a list')
  if (value.length > max) throw invalid(field, `exceeds ${max} elements (got ${value.length})`)
  return value
}

function stringsAt(value: unknown, field: string): readonly string[] {
  const list = listAt(value, field, MAX_ROUTE_NAMES)
  const faulty = list.findIndex(name => typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARS)
  if (faulty >= 0) throw invalid(`${field}.${faulty}`, `must be a string of 1 to ${MAX_NAME_CHARS} characters`)
  return [...new Set(list as readonly string[])]
}

function matchersAt(value: unknown, field: string, regexes: RegexBound): ReturnType<typeof parseMatchers> {
  const list = listAt(value, field, Number.MAX_SAFE_INTEGER)
  const faulty = list.findIndex(matcher => typeof matcher !== 'string')
  if (faulty >= 0) throw invalid(`${field}.${faulty}`, 'must be a string such as severity="critical"')
  return parseMatchers(list as readonly string[], field, regexes)
}

function durationAt(value: unknown, field: string, { min, max }: { readonly min: number; readonly max: number }): number {
  const ms = typeof value === 'string' ? parseDurationMs(value) : null
  if (ms === null) throw invalid(field, 'must be a duration such as 30s')
  if (ms < min || ms > max)
    throw invalid(field, `must be ${formatDurationMs(min)} to ${formatDurationMs(max)} (got ${value as string})`)
  return ms
}

function groupByAt(value: unknown, field: string): GroupBy {
  const names = stringsAt(value, field)
  if (!names.includes('...')) return names
  if (names.length > 1) throw invalid(field, 'must have no other labels next to "...", which means all labels')
  return 'all'
}

/** The members of a route that its children inherit. */
function inheritedBy(members: Members, field: string, parent: Inherited): Inherited {
  const { channels, group_by: groupBy, group_wait: wait, group_interval: interval, repeat_interval: repeat } = members
  return {
    channels: channels === undefined ? parent.channels : stringsAt(channels, `${field}.channels`),
    groupBy: groupBy === undefined ? parent.groupBy : groupByAt(groupBy, `${field}.group_by`),
    groupWaitMs: wait === undefined ? parent.groupWaitMs : durationAt(wait, `${field}.group_wait`, GROUP_WAIT),
    groupIntervalMs:
      interval === undefined ? parent.groupIntervalMs : durationAt(interval, `${field}.group_interval`, GROUP_INTERVAL),
    repeatIntervalMs:
      repeat === undefined ? parent.repeatIntervalMs : durationAt(repeat, `${field}.repeat_interval`, REPEAT_INTERVAL)
  }
}

/** Reads one tree; counts its routes and numbers the keys of equal ones. */
class TreeReader {
  #routes = 0
  readonly #keys = new Set<string>()
  readonly #regexes: RegexBound

  constructor(regexes: RegexBound) {
    this.#regexes = regexes
  }

  read(value: unknown, field: string, parent: Inherited, path: { readonly key: string; readonly depth: number } | null): Route {
    if (++this.#routes > MAX_ROUTES) throw invalid(field, `is route number ${this.#routes}; the limit is ${MAX_ROUTES} routes`)
    const depth = path === null ? 0 : path.depth + 1
    if (depth > MAX_ROUTE_DEPTH) throw invalid(field, `is nested more than ${MAX_ROUTE_DEPTH} levels deep`)
    const members = objectAt(value, field, ROUTE_MEMBERS)
    const matchers = matchersAt(members['matchers'], `${field}.matchers`, this.#regexes)
    if (path === null && matchers.length > 0) throw invalid(`${field}.matchers`, 'must be empty: the root takes every alert')
    const continues = members['continue'] ?? false
    if (typeof continues !== 'boolean') throw invalid(`${field}.continue`, 'must be true or false')
    const key = this.#keyOf(`${path === null ? '' : `${path.key}/`}${matchersKey(matchers)}`)
    const inherited = inheritedBy(members, field, parent)
    const routes = listAt(members['routes'], `${field}.routes`, MAX_ROUTES)
    return {
      ...inherited,
      key,
      matchers,
      muteTimes: stringsAt(members['mute_times'], `${field}.mute_times`),
      continues,
      routes: routes.map((route, at) => this.read(route, `${field}.routes.${at}`, inherited, { key, depth }))
    }
  }

  #keyOf(path: string): string {
    let key = path
    for (let number = 2; this.#keys.has(key); number++) key = `${path}#${number}`
    this.#keys.add(key)
    return key
  }
}

function readInhibition(value: unknown, field: string, regexes: RegexBound): InhibitRule {
  const members = objectAt(value, field, INHIBIT_MEMBERS)
  const [source, target] = (['source', 'target'] as const).map(side => {
    const matchers = matchersAt(members[side], `${field}.${side}`, regexes)
    if (matchers.length === 0) throw invalid(`${field}.${side}`, 'must have a matcher')
    return matchers
  })
  return { source: source!, target: target!, equal: stringsAt(members['equal'], `${field}.equal`) }
}

/**
 * Checks a routing document `{route: {channels, matchers, group_by, group_wait, group_interval, repeat_interval,
 * mute_times, continue, routes}, inhibit: [{source, target, equal}]}`. `invalid_field` names the faulty member by its path.
 */
export function parseRouting(document: unknown): Routing {
  const members = objectAt(document, 'document', DOCUMENT_MEMBERS)
  const bytes = Buffer.byteLength(JSON.stringify(document))
  if (bytes > MAX_ROUTING_BYTES) throw invalid('document', `exceeds ${MAX_ROUTING_BYTES} bytes of JSON (got ${bytes})`)
  const regexes = new RegexBound()
  return {
    root: new TreeReader(regexes).read(members['route'] ?? {}, 'document.route', DEFAULTS, null),
    inhibit: listAt(members['inhibit'], 'document.inhibit', MAX_INHIBITIONS).map((rule, at) =>
      readInhibition(rule, `document.inhibit.${at}`, regexes)
    )
  }
}
