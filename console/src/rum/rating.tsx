import type { VitalRating, WebVital } from '../api/generated/RumSummary.js'
import { plural } from '../format/number.js'
import styles from './page.module.css'
import { formatVital, isSparse, RATINGS } from './vitals.js'

/** A rating as its word with its shape. */
export function RatingWord({ rating }: { readonly rating: VitalRating }): React.JSX.Element {
  const [word, shape, colour] = RATINGS[rating]
  return (
    <span className={styles.rating}>
      <span aria-hidden="true" style={{ color: colour }}>
        {shape}
      </span>{' '}
      {word}
    </span>
  )
}

/** A value of a timing in a cell: its rating as a shape with a title, few samples as their number. */
export function VitalCell(props: {
  readonly vital: WebVital
  readonly value: number | null
  readonly rating: VitalRating | null
  readonly samples: number
}): React.JSX.Element {
  const { vital, value, rating, samples } = props
  const [word, shape, colour] = rating === null ? ['', '', ''] : RATINGS[rating]
  return (
    <span title={`${word === '' ? '' : `${word}, `}${plural(samples, 'sample')}`}>
      {formatVital(vital, value)}
      {isSparse(samples) && <span className={styles.sparse}> n={samples}</span>}
      {rating !== null && (
        <>
          {' '}
          <span aria-hidden="true" style={{ color: colour }}>
            {shape}
          </span>
          <span className="visually-hidden">{word}</span>
        </>
      )}
    </span>
  )
}

/** What the shapes of ratings mean. */
export function RatingLegend(): React.JSX.Element {
  return (
    <p className={styles.legend}>
      {(Object.keys(RATINGS) as VitalRating[]).map(rating => (
        <RatingWord key={rating} rating={rating} />
      ))}
      <span>n=12: fewer than 30 samples</span>
    </p>
  )
}
