import { useId, useState } from 'react'
import { MetricLabelsDocument } from '../api/generated/MetricLabels.js'
import type { MetricNamesQuery } from '../api/generated/MetricNames.js'
import { useRequest } from '../api/use-request.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { all } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import styles from './finder.module.css'
import type { Matcher } from '../query/promql-selector.js'
import { type Aggregation, type BuilderChoice, promqlOf, type SeriesFunction } from './selector.js'

/** A metric of the list. */
export type MetricName = NonNullable<MetricNamesQuery['metrics']>['nodes'][number]

const AGGREGATIONS: readonly Aggregation[] = ['none', 'sum', 'avg', 'max', 'min', 'count']
const OPERATORS: readonly Matcher['op'][] = ['=', '!=', '=~', '!~']
/** A choice among more labels is made in PromQL. */
const MAX_LABELS = 30

function functionsOf({ kind, name }: MetricName): readonly SeriesFunction[] {
  if (kind !== 'COUNTER') return ['value']
  return name.endsWith('_bucket') ? ['p50', 'p95', 'p99', 'rate'] : ['rate', 'increase', 'value']
}

const EMPTY: Matcher = { label: '', op: '=', value: '' }

/** Makes a query of a metric without PromQL, and shows the PromQL that it makes. */
export function Builder({ metric, onClose }: { readonly metric: MetricName; readonly onClose: () => void }): React.JSX.Element {
  const namespace = useNamespace()
  const { window } = usePageWindow()
  const { search, change } = useAddress()
  const functions = functionsOf(metric)
  const [seriesFunction, setFunction] = useState(functions[0]!)
  const [aggregation, setAggregation] = useState<Aggregation>('none')
  const [by, setBy] = useState<readonly string[]>([])
  const [matcher, setMatcher] = useState(EMPTY)
  const { data } = useRequest(MetricLabelsDocument, { metric: metric.name, range: window }, { namespace })
  const labels = data?.metricLabels ?? []
  const isGrouped = aggregation !== 'none' || seriesFunction.startsWith('p')
  const choice: BuilderChoice = {
    metric: metric.name,
    matchers: matcher.label === '' ? [] : [matcher],
    seriesFunction,
    aggregation,
    by: isGrouped ? by : []
  }
  const apply = (): void => change({ e: [promqlOf(choice), ...all(search, 'e').slice(1)] })
  return (
    <section aria-label="Builder" className={styles.builder}>
      <div className={styles.head}>
        <h2>{visibleText(metric.name)}</h2>
        <Button kind="icon" aria-label="Close builder" onClick={onClose}>
          ✕
        </Button>
      </div>
      <Choice label="Show" value={seriesFunction} values={functions} onChange={value => setFunction(value as SeriesFunction)} />
      {!seriesFunction.startsWith('p') && (
        <Choice
          label="Combine"
          value={aggregation}
          values={AGGREGATIONS}
          onChange={value => setAggregation(value as Aggregation)}
        />
      )}
      {isGrouped && (
        <fieldset className={styles.group} aria-label="Group by">
          <legend>Group by</legend>
          {labels.slice(0, MAX_LABELS).map(({ name }) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={by.includes(name)}
                onChange={() => setBy(by.includes(name) ? by.filter(one => one !== name) : [...by, name])}
              />
              {visibleText(name)}
            </label>
          ))}
        </fieldset>
      )}
      <Condition labels={labels} matcher={matcher} onChange={setMatcher} />
      <code>{visibleText(promqlOf(choice))}</code>
      <div>
        <Button onClick={apply}>Show</Button>
      </div>
    </section>
  )
}

function Choice(props: {
  readonly label: string
  readonly value: string
  readonly values: readonly string[]
  readonly onChange: (value: string) => void
}): React.JSX.Element {
  return (
    <label className={styles.row}>
      {props.label}
      <select value={props.value} onChange={event => props.onChange(event.currentTarget.value)}>
        {props.values.map(value => (
          <option key={value} value={value}>
            {value === 'none' ? 'each series' : value}
          </option>
        ))}
      </select>
    </label>
  )
}

function Condition(props: {
  readonly labels: readonly { readonly name: string; readonly values: readonly string[] }[]
  readonly matcher: Matcher
  readonly onChange: (matcher: Matcher) => void
}): React.JSX.Element {
  const { labels, matcher, onChange } = props
  const id = useId()
  const values = labels.find(({ name }) => name === matcher.label)?.values ?? []
  return (
    <div className={styles.condition} role="group" aria-label="Condition">
      <select
        aria-label="Label"
        value={matcher.label}
        onChange={event => onChange({ ...matcher, label: event.currentTarget.value, value: '' })}
      >
        <option value="">no condition</option>
        {labels.map(({ name }) => (
          <option key={name} value={name}>
            {visibleText(name)}
          </option>
        ))}
      </select>
      <select
        aria-label="Operator"
        value={matcher.op}
        onChange={event => onChange({ ...matcher, op: event.currentTarget.value as Matcher['op'] })}
      >
        {OPERATORS.map(op => (
          <option key={op} value={op}>
            {op}
          </option>
        ))}
      </select>
      <input
        aria-label="Value"
        list={`${id}-values`}
        value={matcher.value}
        disabled={matcher.label === ''}
        onChange={event => onChange({ ...matcher, value: event.currentTarget.value })}
      />
      <datalist id={`${id}-values`}>
        {values.map(value => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </datalist>
    </div>
  )
}
