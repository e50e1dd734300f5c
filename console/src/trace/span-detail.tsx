import { Link } from '@tanstack/react-router'
import { SpanDetailDocument, type SpanDetailQuery } from '../api/generated/SpanDetail.js'
import { useRequest } from '../api/use-request.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatDurationMs, plural } from '../format/number.js'
import { visibleBlock, visibleText } from '../format/visible-text.js'
import { CopyButton } from '../ui/copy-button.js'
import { Detail } from '../ui/detail.js'
import { LevelMark } from '../ui/level-mark.js'
import { Empty, Failed, Loading } from '../ui/states.js'
import { one, type SearchValues } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { AttributeList } from './attribute-list.js'
import { logQuery, type TraceTime, windowAround } from './links.js'
import styles from './span-detail.module.css'

type Span = NonNullable<SpanDetailQuery['span']>

const MESSAGE_CHARACTERS = 300
const NO_WINDOW: SearchValues = {}

/** Which span is shown. */
export interface SpanDetailProps {
  readonly traceId: string
  readonly spanId: string
  readonly trace: TraceTime
  readonly onClose: () => void
}

/** One span: facts, attributes, events, exceptions, links and logs. */
export function SpanDetail({ traceId, spanId, trace, onClose }: SpanDetailProps): React.JSX.Element {
  const namespace = useNamespace()
  const { data, error, refetch } = useRequest(SpanDetailDocument, { traceId, spanId }, { namespace })
  return (
    <Detail label="Span detail" className={styles.detail} onClose={onClose}>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !data || (data.span && data.span.spanId !== spanId) ? (
        <Loading what="the span" />
      ) : data.span ? (
        <Facts key={spanId} span={data.span} trace={trace} />
      ) : (
        <Empty title="This span is not stored">
          <p>
            The trace has no span <code>{visibleText(spanId)}</code>.
          </p>
        </Empty>
      )}
    </Detail>
  )
}

function Facts({ span, trace }: { readonly span: Span; readonly trace: TraceTime }): React.JSX.Element {
  const format = useInstantFormat()
  const { search } = useAddress()
  const window = windowAround(trace, one(search, 'tz'))
  return (
    <>
      <p className={styles.title}>
        <strong>{visibleText(span.service)}</strong> {visibleText(span.operation)}
      </p>
      <p className={styles.line}>
        {formatDurationMs(span.durationMs)} · starts at {formatDurationMs(span.startOffsetMs)} · {span.kind.toLowerCase()} ·{' '}
        <span data-status={span.status}>{span.status.toLowerCase()}</span>
        {span.statusMessage && `: ${visibleText(span.statusMessage)}`}
      </p>
      <p className={styles.line}>
        <time dateTime={span.startTime}>{format.full(span.startTime)}</time> {format.zoneName}
      </p>
      <p className={styles.line}>
        Span <code>{span.spanId}</code>
        {span.parentSpanId && (
          <>
            , parent <code>{span.parentSpanId}</code>
          </>
        )}
        {span.host && `, host ${visibleText(span.host)}`}
        {span.scope && `, scope ${visibleText(span.scope)}`} <CopyButton value={JSON.stringify(span, null, 2)} what="as JSON" />
      </p>
      <Exceptions span={span} />
      <Logs span={span} window={window} />
      <AttributeList title="Attributes" attributes={span.attributes} prefix="attributes" window={window} />
      <Events span={span} />
      <Links span={span} />
      <AttributeList title="Resource" attributes={span.resource} prefix="resource" window={window} />
    </>
  )
}

function Exceptions({ span }: { readonly span: Span }): React.JSX.Element | null {
  if (span.exceptions.length === 0) return null
  return (
    <section aria-label="Exceptions">
      <h3>Exceptions</h3>
      {span.exceptions.map(({ type, message, stacktrace, timestamp }, index) => (
        // eslint-disable-next-line react/no-array-index-key -- exceptions have no id and keep their order
        <div key={`${timestamp} ${index}`} className={styles.exception}>
          <p>
            <strong>{visibleText(type ?? 'exception')}</strong>
            {message && `: ${visibleText(message)}`}
          </p>
          {stacktrace && (
            <details open={span.exceptions.length === 1}>
              <summary>Stack</summary>
              {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long stack scrolls, also by keyboard */}
              <pre tabIndex={0}>{visibleBlock(stacktrace)}</pre>
            </details>
          )}
        </div>
      ))}
    </section>
  )
}

function Logs({ span, window }: { readonly span: Span; readonly window: SearchValues }): React.JSX.Element {
  const namespace = useNamespace()
  const format = useInstantFormat()
  if (span.logCount === 0) return <p className={styles.line}>No logs carry the id of this span.</p>
  return (
    <section aria-label="Logs of the span">
      <h3>
        {plural(span.logCount, 'log')} ·{' '}
        <Link
          to="/n/$namespace/logs"
          params={{ namespace }}
          search={{ ...window, q: logQuery(span.traceId, span.spanId) }}
          data-shortcut="logs"
        >
          Open logs
        </Link>
      </h3>
      <ol className={styles.logs}>
        {span.logs.nodes.map(({ id, timestamp, level, message }) => (
          <li key={id}>
            <Link
              to="/n/$namespace/logs"
              params={{ namespace }}
              search={{ ...window, q: logQuery(span.traceId, span.spanId), sel: id }}
            >
              <time dateTime={timestamp}>{format.time(timestamp)}</time> <LevelMark level={level} />{' '}
              <span>{visibleText(message.slice(0, MESSAGE_CHARACTERS))}</span>
            </Link>
          </li>
        ))}
      </ol>
      {span.logCount > span.logs.nodes.length && <p className={styles.line}>The first {span.logs.nodes.length} are shown.</p>}
    </section>
  )
}

function Events({ span }: { readonly span: Span }): React.JSX.Element | null {
  const format = useInstantFormat()
  const events = span.events.filter(({ name }) => name !== 'exception')
  if (events.length === 0) return null
  return (
    <section aria-label="Events">
      <h3>Events</h3>
      {events.map(({ name, timestamp, attributes }, index) => (
        // eslint-disable-next-line react/no-array-index-key -- events have no id and keep their order
        <details key={`${timestamp} ${index}`} className={styles.event}>
          <summary>
            <time dateTime={timestamp}>{format.time(timestamp)}</time> {visibleText(name)}
          </summary>
          <AttributeList title={`Attributes of ${visibleText(name)}`} attributes={attributes} window={NO_WINDOW} />
        </details>
      ))}
    </section>
  )
}

function Links({ span }: { readonly span: Span }): React.JSX.Element | null {
  const namespace = useNamespace()
  const { search } = useAddress()
  const tz = one(search, 'tz')
  if (span.links.length === 0) return null
  return (
    <section aria-label="Links">
      <h3>Links to other spans</h3>
      <ul className={styles.links}>
        {span.links.map(({ traceId, spanId, attributes }) => (
          <li key={`${traceId} ${spanId}`}>
            <Link
              to="/n/$namespace/traces/$traceId"
              params={{ namespace, traceId }}
              search={{ span: spanId, ...(tz === null ? {} : { tz }) }}
            >
              Trace {traceId}, span {spanId}
            </Link>
            <AttributeList title="Attributes of the link" attributes={attributes} window={NO_WINDOW} />
          </li>
        ))}
      </ul>
    </section>
  )
}
