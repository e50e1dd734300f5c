import type { KeyboardEvent, ReactNode } from 'react'
import { isQueryFault } from '../api/errors.js'
import { areSingleKeysOn } from '../app/use-shortcuts.js'
import { formatCount } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Failed, Loading } from '../ui/states.js'
import { all, one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { isSameValue, toggled } from './facet-choice.js'
import styles from './facet-list.module.css'
import { withCondition } from './with-condition.js'

/** Frequencies of the values of one field. The field is also the key of the address that has the chosen values. */
export interface Facet {
  readonly field: string
  readonly buckets: readonly { readonly value: string; readonly count: number }[]
  /** Rows whose value is not listed. */
  readonly other: number
  /** Rows without the field. */
  readonly missing: number
}

/** The facets of a search; `facets` is null before the first result. */
export interface FacetListProps {
  readonly facets: readonly Facet[] | null
  readonly isStale: boolean
  /** The query box shows the error of a query that the service refused. */
  readonly error: Error | null
  readonly onRetry: () => void
  /** Filters without counts, above the facets. */
  readonly children?: ReactNode
  /** Below the facets. */
  readonly more?: ReactNode
}

/** Values of the facet fields with their counts; a check mark adds a value to the filter. */
export function FacetList({ facets, isStale, error, onRetry, children, more }: FacetListProps): React.JSX.Element {
  return (
    <div className={styles.facets} role="group" aria-label="Filters" aria-busy={isStale}>
      {children}
      {error !== null && !isQueryFault(error) && <Failed error={error} onRetry={onRetry} />}
      {facets === null && error === null && <Loading what="filters" />}
      {facets?.map(facet => (
        <FacetGroup key={facet.field} facet={facet} />
      ))}
      {more}
    </div>
  )
}

function countText(count: number | null): string {
  return count === null ? '–' : formatCount(count)
}

function FacetGroup({ facet }: { readonly facet: Facet }): React.JSX.Element {
  const { search, change } = useAddress()
  const chosen = all(search, facet.field)
  const isSame = (one: string, other: string): boolean => isSameValue(facet.field, one, other)
  // A chosen value stays in view when nothing has it any more, and when others are more frequent: its count is then unknown.
  const count = facet.other > 0 ? null : 0
  const missing = chosen.filter(one => !facet.buckets.some(({ value }) => isSame(one, value))).map(value => ({ value, count }))
  const choose = (values: readonly string[]): void => change({ [facet.field]: values, sel: null })
  const toggle = (value: string): void => choose(toggled(facet.field, chosen, value))
  const exclude = (value: string): void =>
    change({
      q: withCondition(one(search, 'q') ?? '', facet.field, value, true),
      [facet.field]: chosen.filter(one => !isSame(one, value)),
      sel: null
    })
  const onKeyDown = (event: KeyboardEvent, value: string): void => {
    if (!areSingleKeysOn() || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'f') toggle(value)
    else if (event.key === 'x') exclude(value)
    else return
    event.preventDefault()
  }
  return (
    <fieldset className={styles.facet} aria-label={facet.field}>
      <legend>{facet.field}</legend>
      {[...facet.buckets, ...missing].map(({ value, count }) => (
        <div key={value} className={styles.value}>
          <label className={styles.label}>
            <input
              type="checkbox"
              checked={chosen.some(one => isSame(one, value))}
              onChange={() => toggle(value)}
              onKeyDown={event => onKeyDown(event, value)}
              aria-label={`${visibleText(value)} ${countText(count)}`}
            />
            <span className={styles.name} title={visibleText(value)}>
              {visibleText(value)}
            </span>
            <span className={styles.count}>{countText(count)}</span>
          </label>
          <span className={styles.actions}>
            <button type="button" aria-label={`Only ${visibleText(value)}`} onClick={() => choose([value])}>
              only
            </button>
            <button type="button" aria-label={`Not ${visibleText(value)}`} onClick={() => exclude(value)}>
              not
            </button>
          </span>
        </div>
      ))}
      {facet.buckets.length + missing.length + facet.missing === 0 && <p className={styles.rest}>no values</p>}
      {facet.other > 0 && <p className={styles.rest}>{formatCount(facet.other)} with other values</p>}
      {facet.missing > 0 && <p className={styles.rest}>{formatCount(facet.missing)} without it</p>}
    </fieldset>
  )
}
