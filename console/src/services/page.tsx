import { Link } from '@tanstack/react-router'
import { ListenerRowsDocument } from '../api/generated/ListenerRows.js'
import { useRequest } from '../api/use-request.js'
import { Page } from '../app/page.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { ResultLine } from '../ui/result-line.js'
import { Snippet } from '../ui/snippet.js'
import { Empty } from '../ui/states.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { agentLines } from './agent-lines.js'
import { ListenerGrid } from './listener-grid.js'

/** A port that opens is seen within this time. */
const REFRESH_MS = 30_000

/** `/n/{namespace}/services`: listening ports that agents found, open and closed. */
export function ServicesPage(): React.JSX.Element {
  const namespace = useNamespace()
  const result = useRequest(ListenerRowsDocument, {}, { namespace, refreshMs: REFRESH_MS })
  return (
    <Page title="Services" hasWindow={false}>
      <div className={layout.panels}>
        <Panel
          title="Listeners"
          result={result}
          source={{ request: { document: ListenerRowsDocument, variables: {} } }}
          minHeight={120}
        >
          {({ listenerPage }) => (
            <>
              {listenerPage && listenerPage.nodes.length > 0 && (
                <ResultLine
                  noun="listener"
                  loaded={listenerPage.nodes.length}
                  hasMore={!listenerPage.stats.complete}
                  total={null}
                  stats={listenerPage.stats}
                  isStale={false}
                />
              )}
              <ListenerGrid listeners={listenerPage?.nodes ?? []} />
              {listenerPage?.nodes.length === 0 && <NothingYet />}
            </>
          )}
        </Panel>
      </div>
    </Page>
  )
}

function NothingYet(): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  return (
    <Empty title="Nothing yet: no agent has reported a listening port">
      <p>
        The host agent reports which processes listen on which ports of a host. In a checkout of this release, as root, these two
        lines start it:
      </p>
      <Snippet title="Agent" text={agentLines(document.baseURI)} />
      <p>
        Without an agent, services are known from their spans:{' '}
        <Link to="/n/$namespace/apm" params={{ namespace }} search={pageSearch(search)}>
          services in APM
        </Link>
        ; hosts from any telemetry that names them:{' '}
        <Link to="/n/$namespace/hosts" params={{ namespace }} search={pageSearch(search)}>
          hosts in Infrastructure
        </Link>
        .
      </p>
    </Empty>
  )
}
