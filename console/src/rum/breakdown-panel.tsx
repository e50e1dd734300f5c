import { lazy, Suspense } from 'react'
import { loadCode } from '../app/load-code.js'
import { RumBreakdownDocument, type RumBreakdownQuery } from '../api/generated/RumBreakdown.js'
import { useRequest } from '../api/use-request.js'
import { formatCount } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { type FactColumn, FactsTable } from '../tables/facts-table.js'
import { Button } from '../ui/button.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { Loading } from '../ui/states.js'
import { all } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { countryName } from './country-name.js'
import styles from './page.module.css'
import { RatingLegend, VitalCell } from './rating.js'
import { type DimensionInfo, DIMENSIONS, readDimension, readRumFilter } from './rum-filter.js'
import { readVital, VITALS } from './vitals.js'

type Row = NonNullable<RumBreakdownQuery['rum']>['breakdown'][number]

/** Values of a dimension; a map needs all countries. */
const MAX_ROWS = 50
const MAX_COUNTRIES = 300

const WorldMap = lazy(() => loadCode(async () => ({ default: (await import('./world-map.js')).WorldMap })))

/** Timings by page, browser, device, country and so on; a value narrows the page to it. */
export function BreakdownPanel(): React.JSX.Element {
  const namespace = useNamespace()
  const { search, change } = useAddress()
  const { window } = usePageWindow()
  const { info } = readDimension(search)
  const limit = info.by === 'COUNTRY' ? MAX_COUNTRIES : MAX_ROWS
  const variables = { range: window, filter: readRumFilter(search), by: info.by, limit }
  const result = useRequest(RumBreakdownDocument, variables, { namespace })
  const dimensions = (
    <div className={styles.dimensions} role="group" aria-label="Break down by">
      {DIMENSIONS.map(({ key, name }) => (
        <Button key={key} aria-pressed={key === info.key} onClick={() => change({ by: key === DIMENSIONS[0]!.key ? null : key })}>
          {name}
        </Button>
      ))}
    </div>
  )
  return (
    <Panel
      title="Breakdown"
      result={result}
      actions={dimensions}
      source={{ request: { document: RumBreakdownDocument, variables } }}
      minHeight={160}
      completenessOf={({ rum }) => rum?.stats}
    >
      {({ rum }) =>
        rum && rum.breakdown.length > 0 && !result.isPlaceholderData ? (
          <Breakdown rows={rum.breakdown} dimension={info} limit={limit} />
        ) : (
          <p className={layout.note}>{result.isPlaceholderData ? 'Loading…' : 'No page views in this window.'}</p>
        )
      }
    </Panel>
  )
}

function Breakdown(props: {
  readonly rows: readonly Row[]
  readonly dimension: DimensionInfo
  readonly limit: number
}): React.JSX.Element {
  const { rows, dimension, limit } = props
  const { search } = useAddress()
  const { info } = readVital(search)
  return (
    <>
      {dimension.by === 'COUNTRY' && (
        <Suspense fallback={<Loading what="the map" />}>
          <WorldMap rows={rows} info={info} />
        </Suspense>
      )}
      <RatingLegend />
      <FactsTable
        label={`Page timings by ${dimension.name.toLowerCase()}`}
        rows={rows}
        rowKey={({ value }) => value}
        columns={columnsOf(dimension)}
      />
      {rows.length >= limit && <p className={layout.note}>The {limit} values with most page views are shown.</p>}
    </>
  )
}

function columnsOf(dimension: DimensionInfo): readonly FactColumn<Row>[] {
  const shown = VITALS.slice(0, 5)
  return [
    { header: dimension.name, render: ({ value }) => <Value dimension={dimension} value={value} /> },
    { header: 'Page views', isNumeric: true, render: ({ events }) => formatCount(events) },
    { header: 'Sessions', isNumeric: true, render: ({ sessions }) => formatCount(sessions) },
    ...shown.map(({ vital, short }): FactColumn<Row> => ({
      header: `${short} p75`,
      isNumeric: true,
      render: ({ vitals }) => {
        const summary = vitals.find(one => one.vital === vital)
        return (
          <VitalCell
            vital={vital}
            value={summary?.value ?? null}
            rating={summary?.rating ?? null}
            samples={summary?.samples ?? 0}
          />
        )
      }
    }))
  ]
}

/** A value that narrows the page to it. */
function Value({ dimension, value }: { readonly dimension: DimensionInfo; readonly value: string }): React.JSX.Element {
  const { search, change } = useAddress()
  if (value === '') return <span className={styles.sparse}>not reported</span>
  const text = dimension.by === 'COUNTRY' ? countryName(value) : visibleText(value)
  const chosen = all(search, dimension.key)
  if (chosen.includes(value)) return <>{text}</>
  return (
    <button
      type="button"
      className={styles.link}
      title={`Only ${text}`}
      onClick={() => change({ [dimension.key]: [...chosen, value] })}
    >
      {text}
    </button>
  )
}
