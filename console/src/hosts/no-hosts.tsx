import { Link } from '@tanstack/react-router'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { Snippet } from '../ui/snippet.js'
import { Empty } from '../ui/states.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { collectorLines } from './collector-lines.js'
import type { HostFilter } from './host-filter.js'

/** Why no host is listed: none for the filter, or none at all, and then how to send one. */
export function NoHosts({ filter }: { readonly filter: HostFilter }): React.JSX.Element {
  const { change } = useAddress()
  if (filter.contains === null && filter.states === null) return <NothingYet />
  const place = filter.contains === null ? 'in these states' : `with "${visibleText(filter.contains.slice(0, 100))}" in its name`
  return (
    <Empty title={`No host ${place}`}>
      <p>Hosts are listed for 24 hours after their latest log or span, and for 30 days after their latest metric.</p>
      <Button onClick={() => change({ q: null, status: null })}>Show all hosts</Button>
    </Empty>
  )
}

function NothingYet(): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  return (
    <Empty title="Nothing yet: no host has sent anything">
      <p>
        A host is listed as soon as a log, a span or a metric names it: over OTLP by the resource attribute <code>host.name</code>
        , else by the field or label <code>host</code>. These two lines of a Collector send its CPU, memory, disks and network:
      </p>
      <Snippet title="Collector" text={collectorLines()} />
      <p>
        Its exporter and the URL of this service:{' '}
        <Link to="/n/$namespace/otlp" params={{ namespace }} search={pageSearch(search)}>
          settings in OTLP status
        </Link>
        .
      </p>
      <p role="status">Waiting for the first host…</p>
    </Empty>
  )
}
