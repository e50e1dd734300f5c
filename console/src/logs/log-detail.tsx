import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { LogDetailDocument, type LogDetailQuery } from '../api/generated/LogDetail.js'
import { useRequest } from '../api/use-request.js'
import { loadCode } from '../app/load-code.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatDurationMs, plural } from '../format/number.js'
import { visibleBlock, visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { Detail } from '../ui/detail.js'
import { LevelMark } from '../ui/level-mark.js'
import { Empty, Failed, Loading } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './log-detail.module.css'
import { LogFields } from './log-fields-tree.js'
import { RelatedSignals } from './related-signals.js'

const RecordPattern = lazy(() => loadCode(async () => ({ default: (await import('./record-pattern.js')).RecordPattern })))

type Log = NonNullable<LogDetailQuery['log']>

const NO_FILTER = { q: null, level: null, service: null, host: null, source: null }
/** A longer message shows this much and a button. */
const MESSAGE_CHARACTERS = 4_096

/** One record: message, fields, its trace and its neighbours. Esc closes it. */
export function LogDetail({ id, onClose }: { readonly id: string; readonly onClose: () => void }): React.JSX.Element {
  const namespace = useNamespace()
  const { data, error, refetch } = useRequest(LogDetailDocument, { id }, { namespace })
  return (
    <Detail label="Log detail" onClose={onClose}>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading what="the record" />
      ) : data.log?.id === id ? (
        <Record log={data.log} />
      ) : data.log ? (
        <Loading what="the record" />
      ) : (
        <Empty title="This record is not stored">
          <p>It never was, or the retention has removed it.</p>
        </Empty>
      )}
    </Detail>
  )
}

function Record({ log }: { readonly log: Log }): React.JSX.Element {
  const format = useInstantFormat()
  return (
    <>
      <p className={styles.line}>
        <LevelMark level={log.level} /> <time dateTime={log.timestamp}>{format.full(log.timestamp)}</time> {format.zoneName}
      </p>
      <Message key={log.id} text={log.message} />
      <TraceLink log={log} />
      <LogFields log={log} />
      <Pattern id={log.patternId ?? null} />
      <Surrounding log={log} />
      <RelatedSignals key={`related ${log.id}`} id={log.id} />
    </>
  )
}

function Message({ text }: { readonly text: string }): React.JSX.Element {
  const [isWhole, setWhole] = useState(text.length <= MESSAGE_CHARACTERS)
  return (
    <div className={styles.message}>
      <pre>{visibleBlock(isWhole ? text : text.slice(0, MESSAGE_CHARACTERS))}</pre>
      {!isWhole && <Button onClick={() => setWhole(true)}>Show all ({plural(text.length, 'character')})</Button>}
    </div>
  )
}

function TraceLink({ log }: { readonly log: Log }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { trace, span, traceId } = log
  if (!traceId) return <p className={styles.line}>No trace: the record has no trace id.</p>
  if (!trace)
    return (
      <p className={styles.line}>
        Trace <code>{visibleText(traceId)}</code> is not stored: not sampled, not arrived yet, or expired.
      </p>
    )
  const tz = one(search, 'tz')
  return (
    <p className={styles.line}>
      <Link
        to="/n/$namespace/traces/$traceId"
        params={{ namespace, traceId: trace.traceId }}
        search={{ ...(tz === null ? {} : { tz }), ...(span ? { span: span.spanId } : {}) }}
      >
        Open trace
      </Link>{' '}
      {span && `${span.service} · ${span.operation}, `}
      {formatDurationMs(trace.durationMs)}, {plural(trace.spanCount, 'span')}, {plural(trace.errorCount, 'error')}
    </p>
  )
}

function Pattern({ id }: { readonly id: string | null }): React.JSX.Element {
  return (
    <section aria-label="Pattern">
      <h3>Pattern</h3>
      {id === null ? (
        <p className={styles.line}>The record has no pattern.</p>
      ) : (
        <Suspense fallback={<Loading what="the pattern" />}>
          <RecordPattern key={id} id={id} />
        </Suspense>
      )}
    </section>
  )
}

function Surrounding({ log }: { readonly log: Log }): React.JSX.Element {
  const format = useInstantFormat()
  const { change } = useAddress()
  return (
    <section aria-label="Surrounding logs">
      <h3>Surrounding logs of the same service and host</h3>
      <p className={styles.line}>
        <Button onClick={() => change({ ...NO_FILTER, at: log.id })}>Show in the list without filters</Button>
      </p>
      {log.surrounding.length === 0 && <p className={styles.line}>None within 24 hours.</p>}
      <ol className={styles.surrounding}>
        {log.surrounding.map(({ id, timestamp, level, message }) => (
          <li key={id} aria-current={id === log.id || undefined}>
            <button type="button" className={styles.neighbour} onClick={() => change({ sel: id })}>
              <time dateTime={timestamp}>{format.time(timestamp)}</time> <LevelMark level={level} />{' '}
              <span>{visibleText(message.slice(0, 200))}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
