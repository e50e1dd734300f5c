import { Link } from '@tanstack/react-router'
import type { WhatChangedQuery } from '../api/generated/WhatChanged.js'
import { formatCount, formatDurationMs, formatFactor, formatShare, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import type { FactColumn } from '../tables/facts-table.js'
import { pageSearch } from '../url/page-search.js'
import { type SearchValues, withValues } from '../url/search-codec.js'
import { useNamespace } from '../url/use-address.js'

/** A comparison, as the API returns it. */
export type Compared = NonNullable<WhatChangedQuery['compare']>
/** A significant difference. */
export type Finding = Compared['findings'][number]

const NS_PER_MS = 1e6
/** Significant digits of a bound. */
const DIGITS = 6
const KINDS: Readonly<Record<Finding['kind'], string>> = {
  FIELD_VALUE: 'value',
  MEASURE: 'numbers',
  PATTERN: 'pattern',
  ERROR_GROUP: 'exception',
  METRIC: 'metric'
}

/** `duration_ms >= 250`; durations of spans with a unit. */
function measureText(name: string, value: string): string {
  const [, operator = '', bound = value] = /^([<>]=?)(.*)$/.exec(value) ?? []
  if (name === 'duration_ns') return `duration ${operator} ${formatDurationMs(Number(bound) / NS_PER_MS)}`
  return `${name} ${operator} ${Number(Number(bound).toPrecision(DIGITS))}`
}

/** What differs, in words: `level = error`, `tags.env is present`, numbers beyond a bound, or a template. */
export function findingText({ kind, name, value }: Finding): string {
  if (kind === 'PATTERN' || kind === 'ERROR_GROUP') return name
  if (value === null) return `${name} is present`
  return kind === 'MEASURE' || kind === 'METRIC' ? measureText(name, value) : `${name} = ${value}`
}

/** `new`, `vanished`, or by how much the share changed. */
export function changeText({ baseCount, otherCount, effect }: Finding): string {
  if (baseCount === 0) return 'new'
  return otherCount === 0 ? 'vanished' : formatFactor(2 ** effect)
}

function countText(count: number, total: number): string {
  return total === 0 ? formatCount(count) : `${formatCount(count)} (${formatShare(count / total)})`
}

/** The query string that lists the rows of a finding: on the side that has most of them. */
function evidenceSearch(search: SearchValues, { evidence, evidenceSide }: Finding, { base, other }: Compared): SearchValues {
  const { from, to } = (evidenceSide === 'BASE' ? base : other).window
  return withValues(search, { view: null, sel: null, at: null, cmp: null, q: evidence, from, to })
}

function countOf({ evidenceSide, baseCount, otherCount }: Finding, noun: string): string {
  return evidenceSide === 'BASE' ? `${plural(baseCount, noun)} before` : plural(otherCount, noun)
}

/** What a finding counts: its rows, its exception, or the chart of its metric over both windows. */
function Evidence(props: { readonly finding: Finding; readonly context: FindingContext }): React.JSX.Element {
  const { finding, context } = props
  const { compared, search, noun } = context
  const namespace = useNamespace()
  if (finding.kind === 'METRIC') {
    const [from, to] = [compared.base.window.from, compared.other.window.to]
    return (
      <Link
        to="/n/$namespace/metrics"
        params={{ namespace }}
        search={pageSearch(search, { cmp: null, e: finding.evidence, from, to })}
      >
        chart
      </Link>
    )
  }
  if (finding.kind === 'ERROR_GROUP') {
    const { from, to } = (finding.evidenceSide === 'BASE' ? compared.base : compared.other).window
    return (
      <Link
        to="/n/$namespace/errors/$id"
        params={{ namespace, id: finding.value! }}
        search={pageSearch(search, { cmp: null, from, to })}
      >
        {countOf(finding, 'error')}
      </Link>
    )
  }
  return (
    <Link to="." search={evidenceSearch(search, finding, compared)}>
      {countOf(finding, noun)}
    </Link>
  )
}

/** What the columns depend on. `noun` is what is counted, in the singular. */
export interface FindingContext {
  readonly compared: Compared
  readonly search: SearchValues
  readonly noun: string
}

/** Columns of the findings of a comparison. */
export function findingColumns(context: FindingContext): readonly FactColumn<Finding>[] {
  return [
    { header: 'What differs', render: finding => visibleText(findingText(finding)) },
    { header: 'Kind', render: ({ kind }) => KINDS[kind] },
    { header: 'Change', isNumeric: true, render: changeText },
    { header: 'Before', isNumeric: true, render: ({ baseCount, baseTotal }) => countText(baseCount, baseTotal) },
    { header: 'Now', isNumeric: true, render: ({ otherCount, otherTotal }) => countText(otherCount, otherTotal) },
    { header: 'q', isNumeric: true, render: ({ q }) => (q < 1e-6 ? '< 0.000001' : String(Number(q.toPrecision(2)))) },
    {
      header: 'Evidence',
      render: finding => <Evidence finding={finding} context={context} />
    }
  ]
}
