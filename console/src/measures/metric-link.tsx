import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/button.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'

/** Leads to the chart of an expression on the page of metrics. */
export function MetricLink({ expression }: { readonly expression: string }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  return (
    <Link
      to="/n/$namespace/metrics"
      params={{ namespace }}
      search={pageSearch(search, { e: expression })}
      className={buttonClass()}
    >
      Open in metrics
    </Link>
  )
}
