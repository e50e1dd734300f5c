import { all } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { visibleText } from '../format/visible-text.js'
import styles from './filter-chips.module.css'

/** The values of repeated keys of the address, each with a button that removes it. */
export function FilterChips({ keys }: { readonly keys: readonly string[] }): React.JSX.Element | null {
  const { search, change } = useAddress()
  const chips = keys.flatMap(key => all(search, key).map(value => ({ key, value })))
  if (chips.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {chips.map(({ key, value }) => (
        <li key={`${key} ${value}`}>
          <button
            type="button"
            className={styles.chip}
            aria-label={`Remove filter ${key}:${visibleText(value)}`}
            onClick={() => change({ [key]: all(search, key).filter(one => one !== value), sel: null })}
          >
            {key}:{visibleText(value)} <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
