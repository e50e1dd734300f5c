import type { AlertCondition, RecordCondition } from '../../../domain/alerts/alert-rule.js'
import { unreachable } from '../../../domain/errors.js'
import type { NotifiedAlert } from '../../../domain/alerts/notification-group.js'
import type { Label } from '../../../domain/metric-point.js'
import { LOG_GAP } from '../../../domain/service-event.js'
import { writeBoth, writeEquals } from '../../../query/search-language/write-condition.js'

/** A page of the console that shows the data behind an alert. */
export interface Evidence {
  readonly kind: 'metrics' | 'logs' | 'traces' | 'service' | 'host'
  readonly url: string
}

/** Where the console is, and of which namespace. */
export interface ConsolePlace {
  /** Public address of the service, without a slash at its end; empty when it is not configured. */
  readonly externalUrl: string
  readonly namespace: string
}

/** An alert, the condition of its rule, and the time of its message. */
export interface EvidentAlert extends Pick<NotifiedAlert, 'labels' | 'startsAtMs' | 'endsAtMs'> {
  readonly condition: AlertCondition
  readonly atMs: number
}

type Parameters = readonly (readonly [name: string, value: string])[]

/** Longer ones are left out: mail programs and chats cut them. */
const MAX_URL_CHARS = 2_000
/** How much the page shows before the alert, and of an alert that fires for long. */
const BEFORE_MS = 30 * 60_000
const MOST_MS = 6 * 3_600_000

/** The page of a rule; empty without a public address. */
export function ruleUrl(place: ConsolePlace, ruleId: string): string {
  return place.externalUrl === '' ? '' : pageUrl(place, ['alerts', ruleId], [])
}

/**
 * The page with what the condition read, in the window of the alert: the search with the values of its group, the expression,
 * the requests of the service. Null without a public address, and for what no page shows.
 */
export function evidenceOf(place: ConsolePlace, alert: EvidentAlert): Evidence | null {
  if (place.externalUrl === '') return null
  const { kind, path, parameters } = pageOf(alert)
  if (path === null) return null
  const url = pageUrl(place, path, [...parameters, ...windowOf(alert)])
  return url.length > MAX_URL_CHARS ? null : { kind, url }
}

interface Page {
  readonly kind: Evidence['kind']
  /** Null for none. */
  readonly path: readonly string[] | null
  readonly parameters: Parameters
}

type Labelled = Pick<NotifiedAlert, 'labels'>

const metricsPage = (expr: string): Page => ({ kind: 'metrics', path: ['metrics'], parameters: [['e', expr]] })

function spansPage({ query, groupBy }: RecordCondition, { labels }: Labelled): Page {
  return { kind: 'traces', path: ['traces'], parameters: [['scope', 'span'], ...searchOf(query, groupBy, labels)] }
}

function logsPage(query: string, groupBy: readonly string[], { labels }: Labelled): Page {
  return { kind: 'logs', path: ['logs'], parameters: searchOf(query, groupBy, labels) }
}

/** The page of a service or a host: the one that the condition names, or that of the alert. */
function sourcePage(kind: 'service' | 'host', name: string | null, { labels }: Labelled): Page {
  const found = name ?? labels.find(label => label.name === kind)?.value
  return { kind, path: found === undefined ? null : [kind === 'host' ? 'hosts' : 'apm', found], parameters: [] }
}

/** Of lines that are missing, the page of the host. */
function eventPage({ type, service }: Extract<AlertCondition, { kind: 'event' }>, alert: Labelled): Page {
  return type === LOG_GAP ? sourcePage('host', null, alert) : sourcePage('service', service, alert)
}

function tracesPage({ service, operation }: Extract<AlertCondition, { kind: 'traces' }>, { labels }: Labelled): Page {
  const named = { service: service ?? labels.find(({ name }) => name === 'service')?.value, operation }
  const parameters = Object.entries(named).flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]))
  return { kind: 'traces', path: ['traces'], parameters: [['scope', 'span'], ...parameters] }
}

function absencePage({ of }: Extract<AlertCondition, { kind: 'absence' }>, alert: Labelled): Page {
  switch (of.kind) {
    case 'host':
      return sourcePage('host', of.host, alert)
    case 'service':
      return sourcePage('service', of.service, alert)
    case 'metric':
      return metricsPage(of.query)
    case 'logs':
      return logsPage(of.query, [], alert)
    default:
      return unreachable(of)
  }
}

function pageOf(alert: EvidentAlert): Page {
  const { condition } = alert
  switch (condition.kind) {
    case 'promql':
      return metricsPage(condition.expr)
    case 'logs':
      return logsPage(condition.query, condition.groupBy, alert)
    case 'spans':
      return spansPage(condition, alert)
    case 'traces':
      return tracesPage(condition, alert)
    case 'event':
      return eventPage(condition, alert)
    case 'absence':
      return absencePage(condition, alert)
    default:
      return unreachable(condition)
  }
}

/** The search of a condition with the values of its group. */
function searchOf(query: string, groupBy: readonly string[], labels: readonly Label[]): Parameters {
  const own = groupBy.flatMap(field => {
    const value = labels.find(({ name }) => name === field)?.value
    return value === undefined ? [] : [writeEquals(field, value)]
  })
  const search = own.length === 0 ? query.trim() : writeBoth(query.trim(), own.join(' '))
  return search === '' ? [] : [['q', search]]
}

function windowOf({ condition, startsAtMs, endsAtMs, atMs }: EvidentAlert): Parameters {
  const readMs = 'windowMs' in condition ? condition.windowMs : condition.kind === 'absence' ? condition.forMs : 0
  const endMs = endsAtMs ?? atMs
  const fromMs = Math.max(startsAtMs - readMs - BEFORE_MS, endMs - readMs - MOST_MS)
  return [
    ['from', new Date(fromMs).toISOString()],
    ['to', new Date(endMs).toISOString()]
  ]
}

function pageUrl({ externalUrl, namespace }: ConsolePlace, path: readonly string[], parameters: Parameters): string {
  const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString()
  const names = ['n', namespace, ...path].map(encodeURIComponent).join('/')
  return `${externalUrl}/${names}${query === '' ? '' : `?${query}`}`
}
