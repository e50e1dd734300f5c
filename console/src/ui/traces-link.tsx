import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './traces-link.module.css'

/** A number that leads to the traces behind it, in the window of the page. */
export function TracesLink(props: {
  /** Keys of the page of traces: `service`, `operation`, `status`, `min`. */
  readonly conditions: Readonly<Record<string, string | null>>
  /** True in a grid, whose rows are reached by one tab stop. */
  readonly isInGrid?: boolean
  readonly children: ReactNode
}): React.JSX.Element {
  const { conditions, isInGrid = false, children } = props
  const namespace = useNamespace()
  const { search } = useAddress()
  return (
    <Link
      to="/n/$namespace/traces"
      params={{ namespace }}
      search={pageSearch(search, conditions)}
      className={styles.evidence}
      title="Show these traces"
      {...(isInGrid && { tabIndex: -1 })}
      onClick={event => event.stopPropagation()}
    >
      {children}
    </Link>
  )
}
