import { Link } from '@tanstack/react-router'
import { HostServicesDocument } from '../api/generated/HostServices.js'
import { HostWorkloadsDocument } from '../api/generated/HostWorkloads.js'
import { LatestLogsDocument } from '../api/generated/LatestLogs.js'
import { useRequest } from '../api/use-request.js'
import { formatBytes } from '../format/bytes.js'
import { formatLatency, formatRate, formatShare } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { FactsTable } from '../tables/facts-table.js'
import { LogLines } from '../tables/log-lines.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'

interface OfHost {
  readonly host: string
}

const PERCENT = 100

function percentText(percent: number | null): string {
  return percent === null ? '–' : formatShare(percent / PERCENT)
}

function bytesText(bytes: number | null): string {
  return bytes === null ? '–' : formatBytes(bytes)
}

function rateText(bytes: number | null): string {
  return bytes === null ? '–' : `${formatBytes(bytes)}/s`
}

/** The services whose spans came from a host, with a link to each. */
export function ServicesPanel({ host }: OfHost): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const variables = { id: host, range: window }
  const result = useRequest(HostServicesDocument, variables, { namespace })
  return (
    <Panel title="Services" result={result} source={{ request: { document: HostServicesDocument, variables } }} minHeight={64}>
      {({ host: found }) =>
        found && found.services.length > 0 ? (
          <FactsTable
            label="Services of the host"
            rows={found.services}
            rowKey={({ name }) => name}
            columns={[
              {
                header: 'Service',
                render: ({ name }) => (
                  <Link to="/n/$namespace/apm/$service" params={{ namespace, service: name }} search={pageSearch(search)}>
                    {visibleText(name)}
                  </Link>
                )
              },
              { header: 'State', render: ({ state }) => state.toLowerCase() },
              { header: 'Rate', isNumeric: true, render: ({ red }) => formatRate(red.ratePerSecond) },
              { header: 'Error rate', isNumeric: true, render: ({ red }) => formatShare(red.errorRate) },
              { header: 'p95', isNumeric: true, render: ({ red }) => formatLatency(red.p95Ms) }
            ]}
          />
        ) : (
          <p className={layout.note}>No service sent a span from this host in the last 24 hours.</p>
        )
      }
    </Panel>
  )
}

/** The latest logs of a host. */
export function LogsPanel({ host }: OfHost): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const variables = { range: window, filter: { hosts: [host] } }
  const result = useRequest(LatestLogsDocument, variables, { namespace })
  const ofHost = pageSearch(search, { host })
  const link = (
    <Link to="/n/$namespace/logs" params={{ namespace }} search={ofHost}>
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
          <LogLines logs={logs.nodes} search={ofHost} />
        ) : (
          <p className={layout.note}>No logs in this window.</p>
        )
      }
    </Panel>
  )
}

/** Containers and processes of now; nothing where neither series nor the report of the agent has any. */
export function WorkloadPanels({ host }: OfHost): React.JSX.Element {
  const namespace = useNamespace()
  const variables = { id: host }
  const result = useRequest(HostWorkloadsDocument, variables, { namespace })
  return (
    <Panel
      title="Containers and processes"
      result={result}
      source={{ request: { document: HostWorkloadsDocument, variables } }}
      minHeight={64}
    >
      {({ host: found }) => {
        const { containers, processes } = found ?? { containers: [], processes: [] }
        if (containers.length + processes.length === 0)
          return <p className={layout.note}>No containers or processes of this host in the last 5 minutes.</p>
        return (
          <>
            {containers.length > 0 && (
              <FactsTable
                label="Containers"
                rows={containers}
                rowKey={({ id, image }) => `${id} ${image}`}
                columns={[
                  { header: 'Container', render: ({ name }) => visibleText(name) },
                  { header: 'Image', render: ({ image }) => visibleText(image ?? '') },
                  { header: 'Service', render: ({ service }) => visibleText(service ?? '') },
                  { header: 'State', render: ({ state }) => visibleText(state ?? '') },
                  { header: 'CPU', isNumeric: true, render: ({ cpuPercent }) => percentText(cpuPercent) },
                  { header: 'Memory', isNumeric: true, render: ({ memoryBytes }) => bytesText(memoryBytes) },
                  { header: 'Of its limit', isNumeric: true, render: ({ memoryPercent }) => percentText(memoryPercent) },
                  { header: 'Received', isNumeric: true, render: ({ rxBytesPerSecond }) => rateText(rxBytesPerSecond) },
                  { header: 'Sent', isNumeric: true, render: ({ txBytesPerSecond }) => rateText(txBytesPerSecond) }
                ]}
              />
            )}
            {processes.length > 0 && (
              <FactsTable
                label="Processes"
                rows={processes}
                rowKey={({ name, user }) => `${name} ${user}`}
                columns={[
                  { header: 'Process', render: ({ name }) => visibleText(name) },
                  { header: 'User', render: ({ user }) => visibleText(user ?? '') },
                  { header: 'CPU', isNumeric: true, render: ({ cpuPercent }) => percentText(cpuPercent) },
                  { header: 'Memory', isNumeric: true, render: ({ memoryBytes }) => bytesText(memoryBytes) }
                ]}
              />
            )}
          </>
        )
      }}
    </Panel>
  )
}
