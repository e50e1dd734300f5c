import { Link } from '@tanstack/react-router'
import { ApmOperationsDocument } from '../api/generated/ApmOperations.js'
import { ApmTracesDocument } from '../api/generated/ApmTraces.js'
import { LatestLogsDocument } from '../api/generated/LatestLogs.js'
import { useRequest } from '../api/use-request.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatCount, formatDurationMs, formatRate, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { FactsTable } from '../tables/facts-table.js'
import { LogLines } from '../tables/log-lines.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { FailedShare, Percentile, RequestCount } from './service-facts.js'

interface OfService {
  readonly service: string
}

/** The operations of a service, most requests first. */
export function OperationsPanel({ service }: OfService): React.JSX.Element {
  const namespace = useNamespace()
  const { window } = usePageWindow()
  const variables = { name: service, range: window }
  const result = useRequest(ApmOperationsDocument, variables, { namespace })
  return (
    <Panel title="Operations" result={result} source={{ request: { document: ApmOperationsDocument, variables } }} minHeight={64}>
      {({ service: found }) =>
        found && found.operations.length > 0 ? (
          <FactsTable
            label="Operations"
            rows={found.operations}
            rowKey={({ name, kind }) => `${kind} ${name}`}
            columns={[
              { header: 'Operation', render: ({ name }) => visibleText(name) },
              { header: 'Kind', render: ({ kind }) => kind.toLowerCase() },
              {
                header: 'Requests',
                isNumeric: true,
                render: ({ name, red }) => <RequestCount of={{ service, operation: name }} count={red.requests} />
              },
              { header: 'Rate', isNumeric: true, render: ({ red }) => formatRate(red.ratePerSecond) },
              {
                header: 'Error rate',
                isNumeric: true,
                render: ({ name, red }) => <FailedShare of={{ service, operation: name }} share={red.errorRate} />
              },
              {
                header: 'p50',
                isNumeric: true,
                render: ({ name, red }) => <Percentile of={{ service, operation: name }} ms={red.p50Ms} />
              },
              {
                header: 'p95',
                isNumeric: true,
                render: ({ name, red }) => <Percentile of={{ service, operation: name }} ms={red.p95Ms} />
              },
              {
                header: 'p99',
                isNumeric: true,
                render: ({ name, red }) => <Percentile of={{ service, operation: name }} ms={red.p99Ms} />
              }
            ]}
          />
        ) : (
          <p className={layout.note}>No requests in this window.</p>
        )
      }
    </Panel>
  )
}

/** The latest traces with a span of a service. */
export function TracesPanel({ service }: OfService): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const { zoneName } = useInstantFormat()
  const link = (
    <Link to="/n/$namespace/traces" params={{ namespace }} search={pageSearch(search, { service })}>
      All traces
    </Link>
  )
  const variables = { range: window, filter: { services: [service] } }
  const result = useRequest(ApmTracesDocument, variables, { namespace })
  return (
    <Panel
      title="Traces"
      result={result}
      actions={link}
      source={{ request: { document: ApmTracesDocument, variables } }}
      minHeight={64}
      completenessOf={({ traces }) => traces?.stats}
    >
      {({ traces }) =>
        traces && traces.nodes.length > 0 ? (
          <FactsTable
            label="Latest traces"
            rows={traces.nodes}
            rowKey={({ traceId }) => traceId}
            columns={[
              {
                header: 'Trace',
                render: ({ traceId, rootService, rootOperation }) => (
                  <Link
                    to="/n/$namespace/traces/$traceId"
                    params={{ namespace, traceId }}
                    search={pageSearch(search, { from: null, to: null })}
                  >
                    {visibleText([rootService, rootOperation].filter(Boolean).join(' · ')) || traceId}
                  </Link>
                )
              },
              { header: `Start (${zoneName})`, render: ({ startTime }) => <Instant value={startTime} /> },
              { header: 'Duration', isNumeric: true, render: ({ durationMs }) => formatDurationMs(durationMs) },
              { header: 'Spans', isNumeric: true, render: ({ spanCount }) => formatCount(spanCount) },
              {
                header: 'Status',
                render: ({ status, errorCount }) => (status === 'ERROR' ? plural(errorCount, 'error') : 'ok')
              }
            ]}
          />
        ) : (
          <p className={layout.note}>No traces in this window.</p>
        )
      }
    </Panel>
  )
}

/** The latest logs of a service. */
export function LogsPanel({ service }: OfService): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const variables = { range: window, filter: { services: [service] } }
  const result = useRequest(LatestLogsDocument, variables, { namespace })
  const ofService = pageSearch(search, { service })
  const link = (
    <Link to="/n/$namespace/logs" params={{ namespace }} search={ofService}>
      Open logs
    </Link>
  )
  return (
    <Panel
      title="Logs"
      result={result}
      actions={link}
      source={{ request: { document: LatestLogsDocument, variables } }}
      minHeight={64}
      completenessOf={({ logs }) => logs?.stats}
    >
      {({ logs }) =>
        logs && logs.nodes.length > 0 ? (
          <LogLines logs={logs.nodes} search={ofService} />
        ) : (
          <p className={layout.note}>No logs in this window.</p>
        )
      }
    </Panel>
  )
}
