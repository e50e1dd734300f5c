import type { RuleInput } from '../evaluate/parse-rule/rule-input.js'
import { MAX_INDICATOR_CHARS, MAX_SLOS } from '../slo/slo-limits.js'
import { numberOf, type TranslatedSlo, type Translation } from './slo-file.js'

const MAX_CHARS = 2_000
/** Sloth's default window. Source: Sloth, prometheus/v1. */
const WINDOW = '30d'
/** Where members of an SLO are in a file of Sloth. */
const NAMES = {
  'indicator.ratio.bad': 'sli.events.error_query',
  'indicator.ratio.total': 'sli.events.total_query',
  annotations: 'alerting.annotations',
  page_labels: 'alerting.page_alert.labels',
  ticket_labels: 'alerting.ticket_alert.labels'
}

/**
 * SLOs of a file of Sloth, `version: prometheus/v1`. As there, an SLO is known by its service and its name. Source:
 * https://sloth.dev/specs/default/.
 */
export function readSloth(root: RuleInput, translation: Translation): readonly TranslatedSlo[] {
  root.only(['version', 'service', 'labels', 'slos'])
  const service = root.string('service', MAX_CHARS)
  if (service === null) root.fault('service', 'is required')
  const labels = stringsOf(root, 'labels')
  const slos = root.objects('slos', MAX_SLOS)
  if (slos.length === 0) root.fault('slos', 'must have at least one SLO')
  return slos.map(slo => readSlo(slo, service ?? '', labels, translation))
}

function stringsOf(input: RuleInput, name: string): Readonly<Record<string, string>> {
  const object = Object.create(null) as Record<string, string>
  for (const { name: label, value } of input.stringMap(name)) object[label] = value
  return object
}

function readSlo(
  slo: RuleInput,
  service: string,
  labels: Readonly<Record<string, string>>,
  { ignored }: Translation
): TranslatedSlo {
  slo.only(['name', 'objective', 'description', 'labels', 'sli', 'alerting', 'plugins'])
  const name = slo.string('name', MAX_CHARS)
  if (name === null) slo.fault('name', 'is required')
  if (slo.has('plugins')) ignored.push(slo.pathOf('plugins'))
  const alerting = slo.has('alerting') ? slo.object('alerting') : null
  alerting?.only(['name', 'labels', 'annotations', 'page_alert', 'ticket_alert'])
  if (alerting?.has('name') === true) ignored.push(alerting.pathOf('name'))
  const page = readAlert(alerting, 'page_alert', ignored)
  const ticket = readAlert(alerting, 'ticket_alert', ignored)
  const description = slo.string('description', MAX_CHARS)
  return {
    path: slo.path,
    names: NAMES,
    input: {
      name: `${service}-${name ?? ''}`,
      service,
      ...(description !== null && { description }),
      objective: numberOf(slo.string('objective', MAX_CHARS)),
      window: WINDOW,
      indicator: { ratio: readEvents(slo) },
      alerts: [...(page.isOn ? ['page'] : []), ...(ticket.isOn ? ['ticket'] : [])],
      min_events: 0,
      labels: { ...labels, ...stringsOf(slo, 'labels'), ...(alerting && stringsOf(alerting, 'labels')) },
      page_labels: page.labels,
      ticket_labels: ticket.labels,
      annotations: alerting === null ? {} : stringsOf(alerting, 'annotations')
    }
  }
}

function readEvents(slo: RuleInput): object {
  if (!slo.has('sli')) slo.fault('sli', 'is required')
  const sli = slo.has('sli') ? slo.object('sli') : null
  if (sli === null) return {}
  sli.only(['events', 'raw', 'plugin'])
  for (const kind of ['raw', 'plugin'])
    if (sli.has(kind)) sli.fault(kind, 'is not supported: events cannot be counted; use events with error_query and total_query')
  if (!sli.has('events')) return {}
  const events = sli.object('events')
  events.only(['error_query', 'total_query'])
  return { bad: events.string('error_query', MAX_INDICATOR_CHARS), total: events.string('total_query', MAX_INDICATOR_CHARS) }
}

function readAlert(
  alerting: RuleInput | null,
  member: 'page_alert' | 'ticket_alert',
  ignored: string[]
): { readonly isOn: boolean; readonly labels: Readonly<Record<string, string>> } {
  if (alerting === null || !alerting.has(member)) return { isOn: true, labels: {} }
  const alert = alerting.object(member)
  alert.only(['disable', 'labels', 'annotations'])
  if (alert.has('annotations')) ignored.push(alert.pathOf('annotations'))
  return { isOn: alert.string('disable', MAX_CHARS) !== 'true', labels: stringsOf(alert, 'labels') }
}
