import type { ComponentType, KeyboardEvent, ReactNode } from 'react'
import { isQueryFault } from '../api/errors.js'
import { areSingleKeysOn } from '../app/use-shortcuts.js'
import { formatCount } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Failed, Loading } from '../ui/states.js'
import { all, one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { isSameValue, toggled } from './facet-choice.js'
import styles from './facet-list.module.css'
import { type FacetBucket, type MatchesProps, SearchedValues } from './searched-values.js'
import { withCondition } from './with-condition.js'

/** Frequencies of the values of one field. The field is also the key of the address that has the chosen values. */
export interface Facet {
  readonly field: string
  readonly buckets: readonly FacetBucket[]
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
  /** Lists values of a facet that has more than it shows. */
  readonly Matches: ComponentType<MatchesProps>
  /** Filters without counts, above the facets. */
  readonly children?: ReactNode
  /** Below the facets. */
  readonly more?: ReactNode
}

/** Values of the facet fields with their counts; a check mark adds a value to the filter. */
export function FacetList({ facets, isStale, error, onRetry, Matches, children, more }: FacetListProps): React.JSX.Element {
  return (
    <div className={styles.facets} role="group" aria-label="Filters" aria-busy={isStale}>
      {children}
      {error !== null && !isQueryFault(error) && <Failed error={error} onRetry={onRetry} />}
      {facets === null && error === null && <Loading what="filters" />}
      {facets?.map(facet => (
        <FacetGroup key={facet.field} facet={facet} Matches={Matches} />
      ))}
      {more}
    </div>
  )
}

interface FacetCount {
  readonly value: string
  /** Null when it is not known. */
  readonly count: number | null
}

function countText(count: number | null): string {
  return count === null ? '–' : formatCount(count)
}

function FacetGroup(props: { readonly facet: Facet; readonly Matches: ComponentType<MatchesProps> }): React.JSX.Element {
  const { facet, Matches } = props
  const { search, change } = useAddress()
  const chosen = all(search, facet.field)
  const isSame = (one: string, other: string): boolean => isSameValue(facet.field, one, other)
  // A chosen value stays in view when nothing has it any more, and when others are more frequent: its count is then unknown.
  const count = facet.other > 0 ? null : 0
  const missing = chosen.filter(one => !facet.buckets.some(({ value }) => isSame(one, value))).map(value => ({ value, count }))
  const choose = (values: readonly string[]): void => change({ [facet.field]: values, sel: null })
  const exclude = (value: string): void =>
    change({
      q: withCondition(one(search, 'q') ?? '', facet.field, value, true),
      [facet.field]: chosen.filter(one => !isSame(one, value)),
      sel: null
    })
  const row = ({ value, count }: FacetCount, leave?: () => void): React.JSX.Element => (
    <FacetRow
      key={value}
      value={value}
      count={count}
      isChosen={chosen.some(one => isSame(one, value))}
      onToggle={() => choose(toggled(facet.field, chosen, value))}
      onOnly={() => choose([value])}
      onExclude={() => {
        exclude(value)
        leave?.()
      }}
    />
  )
  return (
    <fieldset className={styles.facet} aria-label={facet.field}>
      <legend>{facet.field}</legend>
      <SearchedValues field={facet.field} hasOthers={facet.other > 0} Matches={Matches} row={row}>
        {[...facet.buckets, ...missing].map(bucket => row(bucket))}
        {facet.buckets.length + missing.length + facet.missing === 0 && <p className={styles.rest}>no values</p>}
        {facet.other > 0 && <p className={styles.rest}>{formatCount(facet.other)} with other values</p>}
        {facet.missing > 0 && <p className={styles.rest}>{formatCount(facet.missing)} without it</p>}
      </SearchedValues>
    </fieldset>
  )
}

/** A value of a facet; a key filters for it, or it out, while its check box is in focus. */
function FacetRow(
  props: FacetCount & {
    readonly isChosen: boolean
    readonly onToggle: () => void
    readonly onOnly: () => void
    readonly onExclude: () => void
  }
): React.JSX.Element {
  const { value, count, isChosen, onToggle, onOnly, onExclude } = props
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!areSingleKeysOn() || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'f') onToggle()
    else if (event.key === 'x') onExclude()
    else return
    event.preventDefault()
  }
  const text = visibleText(value)
  return (
    <div className={styles.value}>
      <label className={styles.label}>
        <input
          type="checkbox"
          checked={isChosen}
          onChange={onToggle}
          onKeyDown={onKeyDown}
          aria-label={`${text} ${countText(count)}`}
        />
        <span className={styles.name} title={text}>
          {text}
        </span>
        <span className={styles.count}>{countText(count)}</span>
      </label>
      <span className={styles.actions}>
        <button type="button" aria-label={`Only ${text}`} onClick={onOnly}>
          only
        </button>
        <button type="button" aria-label={`Not ${text}`} onClick={onExclude}>
          not
        </button>
      </span>
    </div>
  )
}
