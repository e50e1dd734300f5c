import { useParams } from '@tanstack/react-router'
import { HostDetailDocument, type HostDetailQuery } from '../api/generated/HostDetail.js'
import { useRequest } from '../api/use-request.js'
import { Page } from '../app/page.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatBytes } from '../format/bytes.js'
import { formatShare } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { FactsTable } from '../tables/facts-table.js'
import { HostStateMark } from '../ui/host-state.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { Empty } from '../ui/states.js'
import { useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { ChartsPanel } from './charts-panel.js'
import { LogsPanel, ServicesPanel, WorkloadPanels } from './host-panels.js'
import styles from './page.module.css'

type Host = NonNullable<HostDetailQuery['host']>

/** Longer names are cut in the title. */
const NAME_CHARACTERS = 200
const PERCENT = 100

/** `/n/{namespace}/hosts/{name}`: one host. */
export function HostPage(): React.JSX.Element {
  const namespace = useNamespace()
  const name = useParams({ strict: false, select: params => (params as { host?: string }).host ?? '' })
  const { problems } = usePageWindow()
  const variables = { id: name }
  const result = useRequest(HostDetailDocument, variables, { namespace })
  return (
    <Page title={visibleText(name.slice(0, NAME_CHARACTERS)) || 'Host'} problems={problems}>
      <div className={layout.panels}>
        <Panel title="Host" result={result} source={{ request: { document: HostDetailDocument, variables } }} minHeight={88}>
          {({ host }) =>
            host?.name === name ? (
              <Facts host={host} />
            ) : (
              <Empty title="Nothing names this host">
                <p>
                  Its name is wrong, or it stopped: hosts are listed for 24 hours after their latest log or span, and for 30 days
                  after their latest metric.
                </p>
              </Empty>
            )
          }
        </Panel>
        <ChartsPanel host={name} />
        <div className={layout.pair}>
          <ServicesPanel host={name} />
          <LogsPanel host={name} />
        </div>
        <WorkloadPanels host={name} />
        {result.data?.host && result.data.host.labels.length > 0 && <Attributes labels={result.data.host.labels} />}
      </div>
    </Page>
  )
}

function percentText(percent: number | null): string {
  return percent === null ? '–' : formatShare(percent / PERCENT)
}

function Facts({ host }: { readonly host: Host }): React.JSX.Element {
  const format = useInstantFormat()
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['CPU', percentText(host.cpuPercent)],
    ['Memory', percentText(host.memoryPercent)],
    ['Fullest disk', percentText(host.diskPercent)],
    ['CPUs', host.cpuCount === null ? '–' : String(host.cpuCount)],
    ['Memory size', host.memoryBytes === null ? '–' : formatBytes(host.memoryBytes)]
  ]
  const system = [host.os, host.arch, host.kernel].filter(part => part !== null)
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.origin}>
        <HostStateMark state={host.state} />, last seen <Instant value={host.lastSeen} /> {format.zoneName}
        {host.bootTime !== null && (
          <>
            {' '}
            · up since <Instant value={host.bootTime} />
          </>
        )}
        {system.length > 0 && ` · ${visibleText(system.join(' '))}`}
        {` · ${host.agent === null ? 'no agent: known from its telemetry' : `agent ${visibleText(host.agent.version)}`}`}
      </p>
    </>
  )
}

function Attributes({ labels }: { readonly labels: Host['labels'] }): React.JSX.Element {
  return (
    <section className={layout.box} aria-label="Attributes">
      <FactsTable
        label="Attributes"
        rows={labels}
        rowKey={({ name }) => name}
        columns={[
          { header: 'Attribute', render: ({ name }) => visibleText(name) },
          { header: 'Value', render: ({ value }) => visibleText(value) }
        ]}
      />
    </section>
  )
}
