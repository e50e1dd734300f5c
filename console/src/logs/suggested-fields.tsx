import type { ComponentType } from 'react'
import { LogFacetsDocument, type LogFacetsQuery } from '../api/generated/LogFacets.js'
import { useRequest } from '../api/use-request.js'
import { formatCount } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import facets from '../query/facet-list.module.css'
import { RangeGroup } from '../query/range-group.js'
import { type FacetBucket, type MatchesProps, SearchedValues } from '../query/searched-values.js'
import { withCondition } from '../query/with-condition.js'
import { withOnly } from '../query/with-only.js'
import { ResultView } from '../ui/result-view.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import type { LogSearch } from './use-log-search.js'

type Suggested = NonNullable<LogFacetsQuery['logs']>['suggestedFacets']
type Facet = Suggested['facets'][number]

/** What the fields are of, and what lists the values that they do not show. */
export interface SuggestedFieldsProps {
  readonly query: LogSearch
  readonly Matches: ComponentType<MatchesProps>
}

/** Facets that the page has anyway. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['service', 'level', 'host', 'source'])

/** Facets and ranges of the fields that suit the logs of the search. */
export function SuggestedFields({ query: { namespace, window, filter }, Matches }: SuggestedFieldsProps): React.JSX.Element {
  const result = useRequest(LogFacetsDocument, { range: window, filter }, { namespace })
  return (
    <ResultView result={result} what="fields">
      {({ logs }) => (logs ? <Listed suggested={logs.suggestedFacets} Matches={Matches} /> : null)}
    </ResultView>
  )
}

function Listed(props: { readonly suggested: Suggested } & Pick<SuggestedFieldsProps, 'Matches'>): React.JSX.Element {
  const { suggested, Matches } = props
  const { ranges, skipped, stats } = suggested
  const free = suggested.facets.filter(({ field, buckets }) => !OF_THE_PAGE.has(field) && buckets.length > 0)
  return (
    <>
      {ranges.map(range => (
        <RangeGroup key={range.field} range={range} />
      ))}
      {free.map(facet => (
        <FreeFacet key={facet.field} facet={facet} Matches={Matches} />
      ))}
      {free.length + ranges.length === 0 && <p className={facets.rest}>No other field has values to choose from.</p>}
      {stats.warnings.length > 0 && <p className={facets.rest}>{stats.warnings.join(' ')}</p>}
      {skipped.length > 0 && (
        <details className={facets.rest}>
          <summary>{skipped.length} left out</summary>
          <ul>
            {skipped.map(({ field, reason }) => (
              <li key={field}>
                {visibleText(field)}: {visibleText(reason)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** Values of a free field: one is chosen, or left out, by a condition of the query. */
function FreeFacet(props: { readonly facet: Facet } & Pick<SuggestedFieldsProps, 'Matches'>): React.JSX.Element {
  const {
    facet: { field, buckets, other, missing },
    Matches
  } = props
  const { search, change } = useAddress()
  const query = one(search, 'q') ?? ''
  const filter = (q: string, leave?: () => void): void => {
    change({ q, sel: null })
    leave?.()
  }
  const row = ({ value, count, selected }: FacetBucket, leave?: () => void): React.JSX.Element => (
    <div key={value} className={facets.value} aria-current={selected}>
      <span className={facets.label}>
        <span className={facets.name} title={visibleText(value)}>
          {visibleText(value)}
        </span>
        <span className={facets.count}>{formatCount(count)}</span>
      </span>
      <span className={facets.actions}>
        <button
          type="button"
          aria-label={`Only ${field} ${visibleText(value)}`}
          onClick={() => filter(withOnly(query, field, value), leave)}
        >
          only
        </button>
        <button
          type="button"
          aria-label={`Not ${field} ${visibleText(value)}`}
          onClick={() => filter(withCondition(query, field, value, true), leave)}
        >
          not
        </button>
      </span>
    </div>
  )
  return (
    <fieldset className={facets.facet} aria-label={field}>
      <legend>{visibleText(field)}</legend>
      <SearchedValues field={field} hasOthers={other > 0} Matches={Matches} row={row}>
        {buckets.map(bucket => row(bucket))}
        {other > 0 && <p className={facets.rest}>{formatCount(other)} with other values</p>}
        {missing > 0 && <p className={facets.rest}>{formatCount(missing)} without it</p>}
      </SearchedValues>
    </fieldset>
  )
}
