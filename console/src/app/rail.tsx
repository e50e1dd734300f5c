import { Link } from '@tanstack/react-router'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import styles from './frame.module.css'
import { PAGES } from './pages.js'

/** The navigation between pages. */
export function Rail(): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  return (
    <nav aria-label="Main" className={styles.rail}>
      <p className={styles.product}>Alidade</p>
      <ul>
        {PAGES.map(([name, to]) => (
          <li key={name}>
            <Link
              to={to}
              params={{ namespace }}
              search={pageSearch(search)}
              className={styles.page}
              activeProps={{ 'aria-current': 'page' }}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
