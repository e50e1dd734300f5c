import { Link } from '@tanstack/react-router'
import { useApi } from '../api/context.js'
import { formatInstantNs, parseInstantNs } from '../format/instant.js'
import { WINDOW_BEFORE } from '../url/comparison.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'

/** Length of both windows that are compared. */
const LENGTH_NS = 1_800_000_000_000n
const NS_PER_MS = 1_000_000n

/**
 * Leads to what changed in the logs of a service at an event. After a deployment is compared with before it; an alert fires later
 * than its cause, so that the time in which it began to fire is compared with the time before that.
 */
export function ChangedLink(props: {
  /** RFC 3339. */
  readonly at: string
  readonly event: 'deployment' | 'alert'
  readonly service: string
}): React.JSX.Element {
  const { at, event, service } = props
  const namespace = useNamespace()
  const api = useApi()
  const { search } = useAddress()
  const startNs = parseInstantNs(at)! - (event === 'alert' ? LENGTH_NS / 2n : 0n)
  const endNs = startNs + LENGTH_NS
  const to = endNs > BigInt(Math.floor(api.nowMs())) * NS_PER_MS ? null : formatInstantNs(endNs)
  const values = { view: 'compare', cmp: WINDOW_BEFORE, service, from: formatInstantNs(startNs), to }
  return (
    <Link to="/n/$namespace/logs" params={{ namespace }} search={pageSearch(search, values)}>
      What changed
    </Link>
  )
}
