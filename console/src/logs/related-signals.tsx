import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LogRelatedDocument, type LogRelatedQuery } from '../api/generated/LogRelated.js'
import { useRequest } from '../api/use-request.js'
import { Sparkline } from '../charts/sparkline.js'
import { plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { selector } from '../query/promql-selector.js'
import { Button } from '../ui/button.js'
import { ResultView } from '../ui/result-view.js'
import { pageSearch } from '../url/page-search.js'
import type { TimeWindow } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './log-detail.module.css'

type Correlation = NonNullable<LogRelatedQuery['correlate']>
type Moved = Correlation['metrics'][number]

const MESSAGE_CHARACTERS = 120

/** Metric series that changed around a record, exceptions of its trace or service, and why a signal has nothing. */
export function RelatedSignals({ id }: { readonly id: string }): React.JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label="Related signals">
      <h3>Related signals</h3>
      {isOpen ? (
        <Related id={id} />
      ) : (
        <p className={styles.line}>
          <Button onClick={() => setOpen(true)}>Find what changed around this record</Button>
        </p>
      )}
    </section>
  )
}

function Related({ id }: { readonly id: string }): React.JSX.Element {
  const namespace = useNamespace()
  const result = useRequest(LogRelatedDocument, { id }, { namespace })
  return (
    <ResultView result={result} what="related signals">
      {({ correlate }) => correlate && <Found correlation={correlate} />}
    </ResultView>
  )
}

function verdictOf({ verdict, tested, metrics }: Correlation): string {
  if (verdict === 'NOTHING_TO_TEST') return 'No metric series of this service or host has enough samples to compare.'
  if (verdict === 'NOTHING_MOVED')
    return `Nothing significant: none of ${plural(tested, 'metric series', 'metric series')} changed.`
  return `${plural(metrics.length, 'metric series', 'metric series')} of ${tested} tested changed:`
}

function Found({ correlation }: { readonly correlation: Correlation }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { metrics, exceptions, missing, stats, window } = correlation
  return (
    <>
      <p className={styles.line}>{verdictOf(correlation)}</p>
      <ul className={styles.related}>
        {metrics.map(moved => (
          <MovedSeries key={moved.series.legend} moved={moved} window={window} />
        ))}
        {exceptions.map(({ id, type, message, count }) => (
          <li key={id}>
            <Link to="/n/$namespace/errors/$id" params={{ namespace, id }} search={pageSearch(search)}>
              {visibleText(type)}
            </Link>{' '}
            {visibleText(message.slice(0, MESSAGE_CHARACTERS))}, {plural(count, 'time')}
          </li>
        ))}
        {missing.map(({ signal, detail }) => (
          <li key={signal}>
            No {signal.toLowerCase()}: {detail}
          </li>
        ))}
      </ul>
      {!stats.complete && <p className={styles.line}>Incomplete: {stats.warnings.join(' ')}</p>}
    </>
  )
}

function MovedSeries({ moved, window }: { readonly moved: Moved; readonly window: TimeWindow }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { reason, series } = moved
  const matchers = series.labels.map(({ name, value }) => ({ label: name, op: '=' as const, value }))
  return (
    <li>
      {series.metric == null ? (
        visibleText(series.legend)
      ) : (
        <Link
          to="/n/$namespace/metrics"
          params={{ namespace }}
          search={pageSearch(search, { ...window, e: selector(series.metric, matchers) })}
        >
          {visibleText(series.legend)}
        </Link>
      )}
      <Sparkline label={`${visibleText(series.legend)} before and around the record`} samples={series.values} /> {reason}
    </li>
  )
}
