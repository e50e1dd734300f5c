import { useParams } from '@tanstack/react-router'
import { ApmServiceDocument } from '../api/generated/ApmService.js'
import { useRequest } from '../api/use-request.js'
import { Page } from '../app/page.js'
import { visibleText } from '../format/visible-text.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { Empty } from '../ui/states.js'
import { useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { ExceptionsPanel } from './exceptions-panel.js'
import { MapPanel } from './map-panel.js'
import { RedCharts } from './red-charts.js'
import { LogsPanel, OperationsPanel, TracesPanel } from './service-panels.js'
import { ServiceSummary } from './service-summary.js'

/** `/n/{namespace}/apm/{name}`: one service. */
export function ServicePage(): React.JSX.Element {
  const namespace = useNamespace()
  const name = useParams({ strict: false, select: params => (params as { service?: string }).service ?? '' })
  const { window, problems } = usePageWindow()
  const variables = { name, range: window }
  const result = useRequest(ApmServiceDocument, variables, { namespace })
  return (
    <Page title={visibleText(name)} problems={problems}>
      <div className={layout.panels}>
        <Panel
          title="Requests"
          result={result}
          source={{ request: { document: ApmServiceDocument, variables } }}
          minHeight={280}
          completenessOf={({ service }) => service?.redSeries?.stats}
        >
          {({ service }) =>
            service ? (
              <>
                <ServiceSummary service={service} />
                <RedCharts service={service} />
              </>
            ) : (
              <Empty title="This service sent no span in the last 24 hours">
                <p>Its name is wrong, or it stopped: its older traces and logs are still searchable.</p>
              </Empty>
            )
          }
        </Panel>
        <OperationsPanel service={name} />
        <MapPanel service={name} />
        <ExceptionsPanel service={name} />
        <TracesPanel service={name} />
        <LogsPanel service={name} />
      </div>
    </Page>
  )
}
