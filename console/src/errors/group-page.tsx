import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ErrorGroupDocument, type ErrorGroupQuery } from '../api/generated/ErrorGroup.js'
import { useRequest } from '../api/use-request.js'
import { Page } from '../app/page.js'
import { TimeBars } from '../charts/time-bars.js'
import { formatInstantNs, parseInstantNs } from '../format/instant.js'
import { formatCount } from '../format/number.js'
import { visibleBlock, visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { ExceptionStateMark } from '../ui/exception-state.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { Empty, Failed, Loading } from '../ui/states.js'
import { pageSearch } from '../url/page-search.js'
import { one } from '../url/search-codec.js'
import type { TimeWindow } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { Decisions } from './decisions.js'
import { OccurrenceLogs, OccurrenceTrace } from './occurrence-panels.js'
import styles from './page.module.css'
import { StackView } from './stack-view.js'
import { trimHistogram } from './trim-histogram.js'

type Group = NonNullable<ErrorGroupQuery['exception']>
type Occurrence = Group['latest'][number]

/** `/n/{namespace}/errors/{id}`: one group of errors over the whole retention. */
export function ErrorGroupPage(): React.JSX.Element {
  const namespace = useNamespace()
  const id = useParams({ strict: false, select: params => (params as { id?: string }).id ?? '' })
  const { data, error, refetch } = useRequest(ErrorGroupDocument, { id }, { namespace })
  const group = data?.exception?.id === id ? data.exception : null
  const title = group ? visibleText(group.type) : 'Exception'
  return (
    <Page title={title} hasWindow={false}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="the exception" />}
      {data && data.exception === null && (
        <Empty title="No error of this group is stored">
          <p>Its id is wrong, or the retention has removed its errors.</p>
        </Empty>
      )}
      {group && <Loaded key={group.id} group={group} />}
    </Page>
  )
}

function Loaded({ group }: { readonly group: Group }): React.JSX.Element {
  const { search } = useAddress()
  const selected = group.latest.find(({ id }) => id === one(search, 'sel')) ?? group.latest[0]
  return (
    <div className={layout.panels}>
      <section className={layout.box} aria-label="Group">
        <Facts group={group} />
      </section>
      {selected && (
        <>
          <section className={layout.box} aria-label="Stack trace">
            <Occurrences group={group} selected={selected} />
            {selected.message !== group.message && <p className={styles.text}>{visibleBlock(selected.message)}</p>}
            {selected.stacktrace ? (
              <StackView key={selected.id} text={selected.stacktrace} />
            ) : (
              <p className={styles.line}>This error was sent without a stack trace.</p>
            )}
            <Tags tags={selected.tags} />
          </section>
          <div className={layout.pair}>
            <OccurrenceTrace occurrence={selected} />
            <OccurrenceLogs service={group.service} occurrence={selected} />
          </div>
        </>
      )}
    </div>
  )
}

/** From the first to just after the last error of the group. */
function spanOf({ firstSeen, lastSeen }: Group): TimeWindow {
  return { from: firstSeen, to: formatInstantNs(parseInstantNs(lastSeen)! + 1n) }
}

function Facts({ group }: { readonly group: Group }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const navigate = useNavigate()
  const { grid, series } = useMemo(() => trimHistogram(group.histogram), [group])
  const listed = (window: TimeWindow): void =>
    void navigate({
      to: '/n/$namespace/errors',
      params: { namespace },
      search: pageSearch(search, { ...window, service: group.service })
    })
  return (
    <>
      <div className={styles.facts}>
        <ExceptionStateMark state={group.state} />
        <span>
          <b>{formatCount(group.count)}</b> stored
        </span>
        <span>
          first <Instant value={group.firstSeen} />
        </span>
        <span>
          last <Instant value={group.lastSeen} />
        </span>
        <span>
          in{' '}
          <Link to="/n/$namespace/apm/$service" params={{ namespace, service: group.service }} search={pageSearch(search)}>
            {visibleText(group.service) || '(no service)'}
          </Link>
        </span>
        {group.culprit && <code>{visibleText(group.culprit)}</code>}
        <Decisions id={group.id} state={group.state} />
      </div>
      <p className={styles.text}>{visibleBlock(group.message)}</p>
      {grid.length > 0 && (
        <figure className={styles.histogram} aria-label="Errors over time">
          <TimeBars
            grid={grid}
            series={series.map(({ counts }) => ({ key: null, counts }))}
            nameOf={() => 'errors'}
            colourOf={() => 'var(--level-error)'}
            window={spanOf(group)}
            onZoom={listed}
          />
        </figure>
      )}
    </>
  )
}

/** Buttons that choose one of the latest errors. */
function Occurrences({ group, selected }: { readonly group: Group; readonly selected: Occurrence }): React.JSX.Element {
  const { change } = useAddress()
  return (
    <div className={styles.occurrences} role="group" aria-label="Latest errors of the group">
      {group.latest.map(({ id, timestamp }) => (
        <Button key={id} aria-pressed={id === selected.id} onClick={() => change({ sel: id })}>
          <Instant value={timestamp} />
        </Button>
      ))}
    </div>
  )
}

function Tags({ tags }: { readonly tags: Readonly<Record<string, unknown>> }): React.JSX.Element | null {
  const entries = Object.entries(tags)
  if (entries.length === 0) return null
  return (
    <dl className={styles.tags} aria-label="Tags">
      {entries.map(([key, value]) => (
        <div key={key} className={styles.tag}>
          <dt>{visibleText(key)}</dt>
          <dd>{visibleText(typeof value === 'string' ? value : JSON.stringify(value))}</dd>
        </div>
      ))}
    </dl>
  )
}
