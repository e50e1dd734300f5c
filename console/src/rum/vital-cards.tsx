import type { RumSummaryQuery } from '../api/generated/RumSummary.js'
import { formatShare, formatWholeShare, plural } from '../format/number.js'
import { useAddress } from '../url/use-address.js'
import styles from './page.module.css'
import { RatingWord } from './rating.js'
import { formatVital, isSparse, RATINGS, readVital, VITALS, type VitalInfo } from './vitals.js'

type Summary = NonNullable<RumSummaryQuery['rum']>['vitals'][number]

/** The timings at their 75th percentile; a card chooses the timing of the trend and of the map. */
export function VitalCards({ vitals }: { readonly vitals: readonly Summary[] }): React.JSX.Element {
  const { search, change } = useAddress()
  const chosen = readVital(search).info.vital
  return (
    <div className={styles.cards} role="group" aria-label="Page timings at the 75th percentile">
      {VITALS.map(info => {
        const summary = vitals.find(({ vital }) => vital === info.vital)
        return (
          summary && (
            <button
              key={info.vital}
              type="button"
              className={styles.card}
              aria-pressed={info.vital === chosen}
              onClick={() => change({ vital: info.vital === VITALS[0]!.vital ? null : info.vital.toLowerCase() })}
            >
              <Card info={info} summary={summary} />
            </button>
          )
        )
      })}
    </div>
  )
}

function Card({ info, summary }: { readonly info: VitalInfo; readonly summary: Summary }): React.JSX.Element {
  const { value, rating, samples } = summary
  return (
    <>
      <span className={styles.vital}>
        <b>{info.short}</b> {info.name}
      </span>
      <span className={styles.value}>{formatVital(info.vital, value)}</span>
      {rating ? (
        <RatingWord rating={rating} />
      ) : (
        <span className={styles.rating}>{info.thresholds ? 'not rated' : 'no thresholds'}</span>
      )}
      <Distribution summary={summary} />
      <span className={styles.samples}>
        {plural(samples, 'sample')}
        {isSparse(samples) && ': too few to judge'}
      </span>
    </>
  )
}

/** The shares of good, fair and poor samples as a bar and as numbers. */
function Distribution({ summary }: { readonly summary: Summary }): React.JSX.Element | null {
  const { good, needsImprovement, poor } = summary
  if (good == null || needsImprovement == null || poor == null) return null
  const parts = [
    ['GOOD', good],
    ['NEEDS_IMPROVEMENT', needsImprovement],
    ['POOR', poor]
  ] as const
  return (
    <>
      <span className={styles.bar} aria-hidden="true">
        {parts.map(([rating, share]) => (
          <span key={rating} style={{ flexGrow: share, background: RATINGS[rating][2] }} />
        ))}
      </span>
      <span className={styles.shares}>
        {parts.map(([rating, share]) => (
          <span key={rating} title={`${RATINGS[rating][0]}: ${formatShare(share)}`}>
            <span className="visually-hidden">{RATINGS[rating][0]} </span>
            <span aria-hidden="true" style={{ color: RATINGS[rating][2] }}>
              {RATINGS[rating][1]}
            </span>{' '}
            {formatWholeShare(share)}{' '}
          </span>
        ))}
      </span>
    </>
  )
}
