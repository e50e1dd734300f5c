import { Fragment } from 'react'
import type { Operation } from '../api/request.js'
import { useRequest } from '../api/use-request.js'
import { formatCount } from '../format/number.js'
import { Failed, Loading } from '../ui/states.js'
import type { TimeWindow } from '../url/time-window.js'
import { useNamespace } from '../url/use-address.js'
import styles from './facet-list.module.css'
import type { FacetBucket, MatchesProps } from './searched-values.js'

interface Matches {
  readonly buckets: readonly FacetBucket[]
  /** Rows whose matching values are not listed. */
  readonly other: number
}

/** Reads the values of a field that contain a text: another text keeps those of the last one that contain it, too. */
export function FacetMatches<Result, Filter>(
  props: MatchesProps & {
    readonly document: Operation<Result, { range: TimeWindow; filter: Filter; field: string; contains: string }>
    readonly window: TimeWindow
    readonly filter: Filter
    readonly facetOf: (result: Result) => Matches | undefined
  }
): React.JSX.Element {
  const { document, window, filter, field, text, row, facetOf } = props
  const namespace = useNamespace()
  const result = useRequest(document, { range: window, filter, field, contains: text }, { namespace })
  const { data, error, isPlaceholderData: isEarlier } = result
  const found = data && facetOf(data)
  const buckets = found?.buckets.filter(({ value }) => !isEarlier || value.toLowerCase().includes(text.toLowerCase())) ?? []
  if (error) return <Failed error={error} onRetry={() => void result.refetch()} />
  if (buckets.length === 0 && (isEarlier || !data)) return <Loading what="values" />
  return (
    <div aria-busy={isEarlier}>
      {buckets.map(bucket => (
        <Fragment key={bucket.value}>{row(bucket)}</Fragment>
      ))}
      {buckets.length === 0 && (
        <p className={styles.rest} role="status">
          no value contains this
        </p>
      )}
      {!isEarlier && found && found.other > 0 && (
        <p className={styles.rest}>{formatCount(found.other)} with other values that contain it</p>
      )}
    </div>
  )
}
