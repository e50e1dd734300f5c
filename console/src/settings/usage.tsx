import { type Signal, UsageDocument, type UsageQuery } from '../api/generated/Usage.js'
import { useRequest } from '../api/use-request.js'
import { formatBytes } from '../format/bytes.js'
import { formatCount } from '../format/number.js'
import { type FactColumn, FactsTable } from '../tables/facts-table.js'
import { ResultView } from '../ui/result-view.js'
import { Empty, Loading } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import forms from '../ui/form.module.css'
import styles from './page.module.css'
import { type UsageRow, usageByDay, usageBySignal } from './usage-sums.js'

type Point = UsageQuery['namespace']['usage'][number]

/** Days that can be chosen; the API counts 366 at most. */
const DAYS = ['7', '30', '90', '365']
const DEFAULT_DAYS = '30'
const NAMES: Readonly<Record<Signal, string>> = {
  LOGS: 'Logs',
  SPANS: 'Spans',
  METRICS: 'Metric samples',
  RUM: 'Page views',
  ERRORS: 'Errors'
}

/** What the namespace received, by signal and by day of arrival. */
export function Usage(): React.JSX.Element {
  const namespace = useNamespace()
  const { search, change } = useAddress()
  const requested = one(search, 'days')
  const days = requested !== null && DAYS.includes(requested) ? requested : DEFAULT_DAYS
  const range = { from: `now-${Number(days) - 1}d`, to: 'now' }
  const result = useRequest(UsageDocument, { range }, { namespace })
  return (
    <section aria-label="Usage" className={styles.section}>
      <div className={styles.row}>
        <h2>Usage</h2>
        <label className={`${forms.field} ${styles.row}`}>
          <select
            aria-label="Days"
            value={days}
            onChange={({ currentTarget: { value } }) => change({ days: value === DEFAULT_DAYS ? null : value })}
          >
            {DAYS.map(value => (
              <option key={value} value={value}>
                last {value} days
              </option>
            ))}
          </select>
        </label>
      </div>
      {requested !== null && requested !== days && (
        <p className={forms.warning}>
          The address has <code>days={requested.slice(0, 40)}</code>, which is not a choice; the page shows {DEFAULT_DAYS}.
        </p>
      )}
      <p className={styles.hint}>Days are those of arrival, in UTC. Sizes are those of requests, after decompression.</p>
      <ResultView result={result} what="usage">
        {data => (result.isPlaceholderData ? <Loading what="usage" /> : <Tables points={data.namespace.usage} />)}
      </ResultView>
    </section>
  )
}

function countColumns<Row extends UsageRow>(most: number): readonly FactColumn<Row>[] {
  return [
    { header: 'Records', isNumeric: true, render: ({ items }) => formatCount(items) },
    { header: 'Rejected', isNumeric: true, render: ({ rejected }) => formatCount(rejected) },
    { header: 'Size', isNumeric: true, render: ({ bytes }) => formatBytes(bytes) },
    {
      header: 'Share of the largest',
      render: ({ bytes }) => (
        <span className={styles.share} style={{ width: `${most === 0 ? 0 : (bytes / most) * 100}%` }} aria-hidden="true" />
      )
    }
  ]
}

function Tables({ points }: { readonly points: readonly Point[] }): React.JSX.Element {
  if (points.length === 0)
    return (
      <Empty title="Nothing has arrived in these days">
        <p>OTLP status has the lines to copy into a sender.</p>
      </Empty>
    )
  const bySignal = usageBySignal(points)
  const byDay = usageByDay(points)
  const most = (rows: readonly UsageRow[]): number => Math.max(...rows.map(({ bytes }) => bytes))
  return (
    <>
      <h3>By signal</h3>
      <div className={styles.wide}>
        <FactsTable
          label="Usage by signal"
          columns={[{ header: 'Signal', render: ({ key }) => NAMES[key as Signal] }, ...countColumns<UsageRow>(most(bySignal))]}
          rows={bySignal}
          rowKey={({ key }) => key}
        />
      </div>
      <h3>By day</h3>
      <div className={styles.wide}>
        <FactsTable
          label="Usage by day"
          columns={[{ header: 'Day (UTC)', render: ({ key }) => key }, ...countColumns<UsageRow>(most(byDay))]}
          rows={byDay}
          rowKey={({ key }) => key}
        />
      </div>
    </>
  )
}
