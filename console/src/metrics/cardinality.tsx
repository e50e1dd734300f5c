import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../api/context.js'
import { formatCount } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { type FactColumn, FactsTable } from '../tables/facts-table.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { useNamespace } from '../url/use-address.js'
import styles from './page.module.css'
import { selector } from '../query/promql-selector.js'

interface Growth {
  readonly series: number
  readonly new_1h: number
  readonly new_1d: number
}

/** The body of `GET /api/v1/metrics/cardinality`, as far as the page shows it. */
interface CardinalityBody {
  readonly series: { readonly max: number; readonly active: number; readonly overflow: number } & Omit<Growth, 'series'>
  readonly metrics: readonly ({ readonly metric: string } & Growth)[]
  readonly services: readonly ({ readonly service: string } & Growth)[]
  readonly labels: readonly ({ readonly label: string; readonly values: number; readonly saved: number } & Growth)[]
  readonly found: { readonly metrics: number; readonly services: number; readonly labels: number }
}

const ENTRIES = 50

const GROWTH: readonly FactColumn<Growth>[] = [
  { header: 'Series', isNumeric: true, render: ({ series }) => formatCount(series) },
  { header: 'New in 1 h', isNumeric: true, render: row => formatCount(row.new_1h) },
  { header: 'New in 1 day', isNumeric: true, render: row => formatCount(row.new_1d) }
]

/** Which metrics, labels and services make the series of the namespace, and what grows. */
export function Cardinality(): React.JSX.Element {
  const namespace = useNamespace()
  const api = useApi()
  const result = useQuery({
    queryKey: [namespace, 'metrics.cardinality'],
    queryFn: async ({ signal }) =>
      (await api.rest(`api/v1/metrics/cardinality?limit=${ENTRIES}`, { namespace, signal })) as CardinalityBody
  })
  return (
    <ResultView result={result} what="the cardinality">
      {data => <Loaded data={data} />}
    </ResultView>
  )
}

function Loaded({ data }: { readonly data: CardinalityBody }): React.JSX.Element {
  const namespace = useNamespace()
  const { series, metrics, labels, services, found } = data
  if (series.active === 0) return <Empty title="No series are active" />
  const more = (shown: readonly unknown[], all: number): string =>
    shown.length < all ? ` (${shown.length} of ${formatCount(all)})` : ''
  return (
    <div className={styles.cardinality}>
      <p role="status">
        {formatCount(series.active)} of {formatCount(series.max)} series are active · {formatCount(series.new_1h)} new in the last
        hour · {formatCount(series.new_1d)} in the last day
        {series.overflow > 0 && ` · ${formatCount(series.overflow)} series hold what exceeds the limit`}
      </p>
      <h2>Metrics{more(metrics, found.metrics)}</h2>
      <FactsTable
        label="Series by metric"
        columns={[
          {
            header: 'Metric',
            render: ({ metric }) => (
              <Link to="/n/$namespace/metrics" params={{ namespace }} search={{ e: selector(metric) }}>
                {visibleText(metric)}
              </Link>
            )
          },
          ...(GROWTH as readonly FactColumn<CardinalityBody['metrics'][number]>[])
        ]}
        rows={metrics}
        rowKey={({ metric }) => metric}
      />
      <h2>Labels{more(labels, found.labels)}</h2>
      <FactsTable
        label="Series by label"
        columns={[
          { header: 'Label', render: ({ label }) => visibleText(label) },
          { header: 'Values', isNumeric: true, render: ({ values }) => formatCount(values) },
          { header: 'Saved without it', isNumeric: true, render: ({ saved }) => formatCount(saved) },
          ...(GROWTH as readonly FactColumn<CardinalityBody['labels'][number]>[])
        ]}
        rows={labels}
        rowKey={({ label }) => label}
      />
      <h2>Services{more(services, found.services)}</h2>
      <FactsTable
        label="Series by service"
        columns={[
          { header: 'Service', render: ({ service }) => visibleText(service) },
          ...(GROWTH as readonly FactColumn<CardinalityBody['services'][number]>[])
        ]}
        rows={services}
        rowKey={({ service }) => service}
      />
    </div>
  )
}
