import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ErrorGroupQuery } from '../api/generated/ErrorGroup.js'
import { ErrorTraceDocument } from '../api/generated/ErrorTrace.js'
import { LatestLogsDocument } from '../api/generated/LatestLogs.js'
import { useRequest } from '../api/use-request.js'
import { formatInstantNs, parseInstantNs } from '../format/instant.js'
import { formatDurationMs, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { LogLines } from '../tables/log-lines.js'
import { Panel } from '../ui/panel.js'
import { Empty } from '../ui/states.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './page.module.css'

type Occurrence = NonNullable<ErrorGroupQuery['exception']>['latest'][number]

/** Logs of a trace are within this time of an error in it. */
const TRACE_LOGS_NS = 3_600_000_000_000n
/** Without a trace, what the service logged this close to the error. */
const NEAR_NS = 30_000_000_000n

/** The trace in which an error occurred. */
export function OccurrenceTrace({ occurrence }: { readonly occurrence: Occurrence }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { traceId, spanId, timestamp } = occurrence
  const variables = { traceId: traceId ?? '', around: timestamp }
  const result = useRequest(ErrorTraceDocument, variables, { namespace, enabled: traceId != null })
  if (traceId == null) return <Nothing title="Sample trace">This error was sent without a trace id.</Nothing>
  return (
    <Panel
      title="Sample trace"
      result={result}
      what="the trace"
      source={{ request: { document: ErrorTraceDocument, variables } }}
      minHeight={64}
    >
      {({ trace }) =>
        trace ? (
          <div className={styles.line}>
            <p>
              <Link
                to="/n/$namespace/traces/$traceId"
                params={{ namespace, traceId: trace.traceId }}
                search={pageSearch(search, { from: null, to: null, span: spanId ?? null })}
              >
                Open trace
              </Link>{' '}
              {formatDurationMs(trace.durationMs)}, {plural(trace.spanCount, 'span')}, {plural(trace.errorCount, 'error')}
            </p>
            <p>
              {trace.services
                .map(({ service, errors }) => visibleText(service) + (errors > 0 ? ` (${plural(errors, 'error')})` : ''))
                .join(', ')}
            </p>
          </div>
        ) : (
          <p className={styles.line}>
            Trace <code>{visibleText(traceId)}</code> is not stored: not sampled, not arrived yet, or expired.
          </p>
        )
      }
    </Panel>
  )
}

/** Logs of the trace of an error; without a trace, those of its service around it. */
export function OccurrenceLogs(props: { readonly service: string; readonly occurrence: Occurrence }): React.JSX.Element {
  const { service, occurrence } = props
  const namespace = useNamespace()
  const { search } = useAddress()
  const { traceId, timestamp } = occurrence
  const { range, query } = useMemo(() => {
    const ns = parseInstantNs(timestamp)!
    const half = traceId == null ? NEAR_NS : TRACE_LOGS_NS
    return {
      range: { from: formatInstantNs(ns - half), to: formatInstantNs(ns + half) },
      query: traceId == null ? null : `trace_id:${traceId}`
    }
  }, [timestamp, traceId])
  const filter = query === null ? { services: [service] } : { query }
  const variables = { range, filter }
  const result = useRequest(LatestLogsDocument, variables, { namespace })
  const link = (
    <Link
      to="/n/$namespace/logs"
      params={{ namespace }}
      search={pageSearch(search, { ...range, ...(query === null ? { service } : { q: query }) })}
    >
      Open logs
    </Link>
  )
  const title = traceId == null ? 'Logs of the service within 30 s' : 'Logs of the trace'
  return (
    <Panel
      title={title}
      result={result}
      what="logs"
      actions={link}
      source={{ request: { document: LatestLogsDocument, variables } }}
      minHeight={64}
      completenessOf={({ logs }) => logs?.stats}
    >
      {({ logs }) =>
        logs && logs.nodes.length > 0 ? (
          <LogLines logs={logs.nodes} search={pageSearch(search, range)} />
        ) : (
          <p className={styles.line}>None.</p>
        )
      }
    </Panel>
  )
}

function Nothing({ title, children }: { readonly title: string; readonly children: string }): React.JSX.Element {
  return (
    <Empty title={title}>
      <p>{children}</p>
    </Empty>
  )
}
