import { ApmServicesDocument } from '../api/generated/ApmServices.js'
import { ApmTracesDocument } from '../api/generated/ApmTraces.js'
import { useRequest } from '../api/use-request.js'
import { Page } from '../app/page.js'
import { SendFirst } from '../app/send-first.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/states.js'
import { FilterForm } from '../ui/filter-form.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { SelectField } from '../ui/select-field.js'
import { ALL_TIME } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { ExceptionsPanel } from './exceptions-panel.js'
import { MapPanel } from './map-panel.js'
import { ORDERS, readServiceFilter } from './service-filter.js'
import { ServiceGrid } from './service-grid.js'

/** `/n/{namespace}/apm`: services, recent exceptions and the map of calls. */
export function ApmPage(): React.JSX.Element {
  const { search, change } = useAddress()
  const { problems } = usePageWindow()
  const filter = readServiceFilter(search)
  const tools = (
    <FilterForm
      label="Find a service"
      value={filter.contains}
      placeholder="Part of a service name"
      onSubmit={q => change({ q })}
    />
  )
  return (
    <Page title="APM" tools={tools} problems={[...problems, ...filter.problems]}>
      <div className={layout.panels}>
        <Services />
        <ExceptionsPanel />
        <MapPanel />
      </div>
    </Page>
  )
}

function Services(): React.JSX.Element {
  const namespace = useNamespace()
  const { search, change } = useAddress()
  const { window } = usePageWindow()
  const { contains, orderBy, sort } = readServiceFilter(search)
  const variables = { range: window, contains: contains === '' ? null : contains, orderBy }
  const result = useRequest(ApmServicesDocument, variables, { namespace })
  const order = (
    <SelectField
      label="Order"
      value={sort}
      values={ORDERS.map(([value, , name]) => [value, name])}
      onChoose={value => change({ sort: value === ORDERS[0]![0] ? null : value })}
    />
  )
  return (
    <Panel
      title="Services"
      result={result}
      actions={order}
      source={{ request: { document: ApmServicesDocument, variables } }}
      minHeight={120}
      completenessOf={({ serviceList }) => serviceList?.stats}
    >
      {({ serviceList }) =>
        serviceList && serviceList.nodes.length > 0 ? (
          <ServiceGrid services={serviceList.nodes} />
        ) : (
          <NoServices contains={contains} />
        )
      }
    </Panel>
  )
}

function NoServices({ contains }: { readonly contains: string }): React.JSX.Element {
  const { change } = useAddress()
  if (contains !== '')
    return (
      <Empty title={`No service of this window has "${visibleText(contains)}" in its name`}>
        <Button onClick={() => change({ q: null })}>Show all services</Button>
      </Empty>
    )
  return <NoSpans />
}

/** Whether spans were sent at other times, or never. */
function NoSpans(): React.JSX.Element {
  const namespace = useNamespace()
  const ever = useRequest(ApmTracesDocument, { range: ALL_TIME, filter: null }, { namespace })
  if (ever.data?.traces?.nodes.length === 0) return <SendFirst signal="traces" />
  return (
    <Empty title="No service sent a span in this window">
      <p>Services appear with their first span: choose a longer time range.</p>
    </Empty>
  )
}
