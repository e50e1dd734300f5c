import { Link } from '@tanstack/react-router'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { buttonClass } from './button.js'

/** Leads to the form of a new alert rule with a condition: `e`, an expression, or `q`, a search for logs. */
export function AlertLink({ condition }: { readonly condition: Readonly<Record<'e' | 'q', string | null>> }): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  return (
    <Link
      to="/n/$namespace/alerts/$id"
      params={{ namespace, id: 'new' }}
      search={pageSearch(search, condition)}
      className={buttonClass()}
    >
      Alert on this
    </Link>
  )
}
