import type { RuleInput } from '../evaluate/parse-rule/rule-input.js'
import { MAX_INDICATOR_CHARS } from '../slo/slo-limits.js'
import { numberOf, type TranslatedSlo, type Translation } from './slo-file.js'

const MAX_CHARS = 2_000
const PERCENT = 100
/** Digits of a percentage: 0.999 * 100 is not 99.9 in binary. */
const DIGITS = 10
const RATIO = 'spec.indicator.spec.ratioMetric'
/** Where members of an SLO are in a document of OpenSLO. */
const NAMES = {
  name: 'metadata.name',
  service: 'spec.service',
  description: 'spec.description',
  objective: 'spec.objectives[0].target',
  window: 'spec.timeWindow[0].duration',
  'indicator.ratio.good': `${RATIO}.good.metricSource.spec.query`,
  'indicator.ratio.bad': `${RATIO}.bad.metricSource.spec.query`,
  'indicator.ratio.total': `${RATIO}.total.metricSource.spec.query`
}

/** A document of OpenSLO of the kind `SLI`: SLOs refer to it by its name. */
export type Indicators = ReadonlyMap<string, RuleInput>

/** The SLO of a document of OpenSLO v1. Source: https://github.com/OpenSLO/OpenSLO, "SLO". */
export function readOpenSlo(document: RuleInput, indicators: Indicators, { ignored }: Translation): TranslatedSlo {
  document.only(['apiVersion', 'kind', 'metadata', 'spec'])
  const metadata = document.object('metadata')
  metadata.only(['name', 'displayName', 'labels', 'annotations'])
  const spec = document.object('spec')
  spec.only([
    ...['description', 'service', 'indicator', 'indicatorRef', 'timeWindow', 'budgetingMethod', 'objectives', 'alertPolicies']
  ])
  for (const [input, member] of [
    [metadata, 'displayName'] as const,
    [metadata, 'annotations'] as const,
    [spec, 'alertPolicies'] as const
  ])
    if (input.has(member)) ignored.push(input.pathOf(member))
  const method = spec.string('budgetingMethod', MAX_CHARS)
  if (method !== null && method !== 'Occurrences')
    spec.fault('budgetingMethod', `must be Occurrences: events are counted (got ${JSON.stringify(method)})`)
  const description = spec.string('description', MAX_CHARS)
  return {
    path: document.path,
    names: NAMES,
    input: {
      name: metadata.string('name', MAX_CHARS),
      service: spec.string('service', MAX_CHARS),
      ...(description !== null && { description }),
      objective: readObjective(spec),
      window: readWindow(spec),
      indicator: { ratio: readIndicator(spec, indicators, ignored) },
      min_events: 0,
      labels: readLabels(metadata, ignored)
    }
  }
}

/** Labels may be lists there, which have no place in an alert. */
function readLabels(metadata: RuleInput, ignored: string[]): Readonly<Record<string, string>> {
  const found = Object.create(null) as Record<string, string>
  if (!metadata.has('labels')) return found
  const labels = metadata.object('labels')
  for (const name of labels.names()) {
    if (Array.isArray(labels.get(name))) ignored.push(labels.pathOf(name))
    else found[name] = labels.string(name, MAX_CHARS) ?? ''
  }
  return found
}

function readObjective(spec: RuleInput): number | string | null {
  const objectives = spec.objects('objectives', 1)
  const [objective] = objectives
  if (objective === undefined) {
    if (!spec.has('objectives')) spec.fault('objectives', 'is required, with one objective')
    return null
  }
  objective.only(['displayName', 'target', 'targetPercent'])
  const percent = numberOf(objective.string('targetPercent', MAX_CHARS))
  if (percent !== null) return percent
  const target = numberOf(objective.string('target', MAX_CHARS))
  if (target === null) objective.fault('target', 'is required: the share of good events, such as 0.999')
  return typeof target === 'number' ? Number((target * PERCENT).toPrecision(DIGITS)) : target
}

function readWindow(spec: RuleInput): string | null {
  const [window] = spec.objects('timeWindow', 1)
  if (window === undefined) {
    if (!spec.has('timeWindow')) spec.fault('timeWindow', 'is required, with one rolling window')
    return null
  }
  window.only(['duration', 'isRolling', 'calendar'])
  if (window.has('calendar') || window.string('isRolling', MAX_CHARS) === 'false')
    window.fault('isRolling', 'must be true: windows of calendars are not supported')
  return window.string('duration', MAX_CHARS)
}

function readIndicator(spec: RuleInput, indicators: Indicators, ignored: string[]): object {
  const ref = spec.string('indicatorRef', MAX_CHARS)
  if ((ref === null) === !spec.has('indicator')) {
    spec.fault('indicator', 'exactly one of indicator and indicatorRef must be set')
    return {}
  }
  const indicator = ref === null ? spec.object('indicator') : indicators.get(ref)
  if (indicator === undefined) {
    spec.fault('indicatorRef', `names ${JSON.stringify(ref)}, which is not an SLI of the file`)
    return {}
  }
  ignoreOthers(indicator, ['apiVersion', 'kind', 'metadata', 'spec'], ignored)
  const of = indicator.object('spec')
  if (!of.has('ratioMetric')) {
    of.fault('ratioMetric', 'is required: only ratios of events can be counted')
    return {}
  }
  ignoreOthers(of, ['ratioMetric', 'description'], ignored)
  return readRatio(of.object('ratioMetric'), ignored)
}

function readRatio(ratio: RuleInput, ignored: string[]): object {
  ratio.only(['counter', 'good', 'bad', 'total'])
  if (ratio.string('counter', MAX_CHARS) === 'false')
    ratio.fault('counter', 'must be true: events are counted by the increase of counters, and gauges have none')
  const query = (name: string): string | null => (ratio.has(name) ? readQuery(ratio.object(name), ignored) : null)
  return { good: query('good'), bad: query('bad'), total: query('total') }
}

function readQuery(metric: RuleInput, ignored: string[]): string | null {
  ignoreOthers(metric, ['metricSource'], ignored)
  const source = metric.object('metricSource')
  ignoreOthers(source, ['type', 'spec'], ignored)
  const type = source.string('type', MAX_CHARS)
  if (type !== null && type.toLowerCase() !== 'prometheus')
    source.fault('type', `must be Prometheus (got ${JSON.stringify(type)})`)
  const spec = source.object('spec')
  ignoreOthers(spec, ['query'], ignored)
  const query = spec.string('query', MAX_INDICATOR_CHARS)
  if (query === null) spec.fault('query', 'is required')
  return query
}

/** Names members that have no meaning here; once for an indicator that several SLOs refer to. */
function ignoreOthers(input: RuleInput, known: readonly string[], ignored: string[]): void {
  for (const name of input.names()) {
    const path = input.pathOf(name)
    if (!known.includes(name) && !ignored.includes(path)) ignored.push(path)
  }
}
