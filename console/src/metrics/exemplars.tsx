import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../api/context.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatSample } from '../format/measured.js'
import { plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { FactsTable } from '../tables/facts-table.js'
import { useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import styles from './page.module.css'
import { exemplarPath, readExemplars } from './read-exemplars.js'

/** Latest exemplars that are listed. */
const MAX_LISTED = 50

/** Exemplars of the expressions, each with a link to its trace; nothing without any. */
export function Exemplars({ expressions }: { readonly expressions: readonly string[] }): React.JSX.Element | null {
  const namespace = useNamespace()
  const api = useApi()
  const format = useInstantFormat()
  const { window } = usePageWindow()
  const results = useQueries({
    queries: expressions.map(query => ({
      queryKey: [namespace, 'metrics.exemplars', query, window],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => api.rest(exemplarPath(query, window), { namespace, signal })
    }))
  })
  const found = results.flatMap(({ data }) => readExemplars(data))
  if (found.length === 0) return null
  const listed = found.slice(0, MAX_LISTED)
  return (
    <section aria-label="Exemplars" className={styles.exemplars}>
      <h2>Exemplars</h2>
      {found.length > MAX_LISTED && (
        <p>
          The latest {MAX_LISTED} of {plural(found.length, 'exemplar')}.
        </p>
      )}
      <FactsTable
        label="Exemplars of traces"
        columns={[
          { header: `Time (${format.zoneName})`, render: ({ time }) => format.time(time) },
          { header: 'Value', isNumeric: true, render: ({ value }) => formatSample(Number(value)) },
          {
            header: 'Trace',
            render: ({ traceId }) => (
              <Link to="/n/$namespace/traces/$traceId" params={{ namespace, traceId }}>
                <code>{traceId}</code>
              </Link>
            )
          },
          { header: 'Series', render: ({ series }) => visibleText(series) }
        ]}
        rows={listed}
        rowKey={({ traceId, time, series, value }) => `${traceId} ${time} ${value} ${series}`}
      />
    </section>
  )
}
