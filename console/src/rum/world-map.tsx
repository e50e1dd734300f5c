import { countries, height, width } from 'virtual:world-map'
import type { RumBreakdownQuery } from '../api/generated/RumBreakdown.js'
import { plural } from '../format/number.js'
import { useAddress } from '../url/use-address.js'
import { countryName } from './country-name.js'
import styles from './page.module.css'
import { formatVital, RATINGS, type VitalInfo } from './vitals.js'

type Row = NonNullable<RumBreakdownQuery['rum']>['breakdown'][number]

/** Opacity of the fastest and of the slowest country for a timing without thresholds. */
const FAINTEST = 0.25

interface Shade {
  readonly fill: string
  readonly opacity: number
  readonly label: string
}

/** Colours of countries: of their rating, or one hue by value for a timing without thresholds. */
function shadesOf(rows: readonly Row[], { vital }: VitalInfo): ReadonlyMap<string, Shade> {
  const summaries = rows.flatMap(({ value, vitals }) => {
    const summary = vitals.find(one => one.vital === vital)
    return summary?.value == null ? [] : [{ code: value, ...summary, value: summary.value }]
  })
  const largest = Math.max(0, ...summaries.map(({ value }) => value))
  return new Map(
    summaries.map(({ code, value, rating, samples }) => {
      const word = rating ? `, ${RATINGS[rating][0]}` : ''
      const label = `${countryName(code)}: ${formatVital(vital, value)}${word}, ${plural(samples, 'sample')}`
      const opacity = rating || largest === 0 ? 1 : FAINTEST + (1 - FAINTEST) * (value / largest)
      return [code, { fill: rating ? RATINGS[rating][2] : 'var(--series-1)', opacity, label }]
    })
  )
}

/** Countries by the rating of a timing; the table below has the same. A click narrows the page to a country. */
export function WorldMap({ rows, info }: { readonly rows: readonly Row[]; readonly info: VitalInfo }): React.JSX.Element {
  const { change } = useAddress()
  const shades = shadesOf(rows, info)
  return (
    <figure className={styles.map} aria-label={`${info.name} by country`}>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {countries.map(({ code, name, path }) => {
          const shade = code === null ? undefined : shades.get(code)
          return (
            // The picture is hidden from assistive technology; the table has the same buttons.
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
            <path
              key={name}
              d={path}
              className={styles.country}
              data-known={shade !== undefined || undefined}
              style={shade ? { fill: shade.fill, fillOpacity: shade.opacity } : {}}
              onClick={shade && code !== null ? () => change({ country: code }) : undefined}
            >
              <title>{shade?.label ?? `${name}: no page views`}</title>
            </path>
          )
        })}
      </svg>
      <figcaption className={styles.legend}>{info.name} at the 75th percentile; the table has the same values.</figcaption>
    </figure>
  )
}
