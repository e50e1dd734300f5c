import { useApi } from '../api/context.js'
import { SavedMeasuresDocument } from '../api/generated/SavedMeasures.js'
import { useRequest } from '../api/use-request.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { visibleText } from '../format/visible-text.js'
import { SizedGrid } from '../tables/sized-grid.js'
import { timeColumn } from '../tables/time-column.js'
import type { Column } from '../tables/virtual-grid.js'
import { Instant } from '../ui/instant.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { measureState, savedTitle, type StoredMeasure } from './measure-state.js'
import styles from './page.module.css'
import { SavedMeasureDetail } from './saved-measure-detail.js'

/** Steps of ten seconds are the shortest. */
const REFRESH_MS = 10_000

function columnsOf(zone: string, nowMs: number): readonly Column<StoredMeasure>[] {
  return [
    { key: 'name', header: 'Name', width: 'minmax(140px, 1fr)', sorted: 'ascending', render: ({ name }) => visibleText(name) },
    { key: 'measure', header: 'Measure', width: 'minmax(140px, 1fr)', render: measure => visibleText(savedTitle(measure)) },
    { key: 'step', header: 'Step', width: '56px', render: ({ step }) => step },
    { key: 'counted', ...timeColumn('Counted until', zone), render: ({ countedUntil }) => <Instant value={countedUntil} /> },
    { key: 'state', header: 'State', width: 'minmax(120px, 1fr)', render: measure => visibleText(measureState(measure, nowMs)) }
  ]
}

/** Measures of logs and spans that become metrics, with how far they are computed. */
export function SavedMeasures(): React.JSX.Element {
  const result = useRequest(SavedMeasuresDocument, {}, { namespace: useNamespace(), refreshMs: REFRESH_MS })
  return (
    <section aria-label="Saved measures" className={styles.section}>
      <h2>Saved measures</h2>
      <p className={styles.hint}>
        Measures of logs and spans that are metrics under a name. They are saved on the pages of logs and traces, below Measure.
      </p>
      <ResultView result={result} what="saved measures">
        {({ savedMeasures }) => <Loaded measures={savedMeasures ?? []} />}
      </ResultView>
    </section>
  )
}

function Loaded({ measures }: { readonly measures: readonly StoredMeasure[] }): React.JSX.Element {
  const { search, change } = useAddress()
  const { zoneName } = useInstantFormat()
  const api = useApi()
  const selected = measures.find(({ name }) => name === one(search, 'sel')) ?? null
  if (measures.length === 0)
    return (
      <Empty title="No saved measures yet">
        <p>Choose Measure on the page of logs or traces, then Save as metric.</p>
      </Empty>
    )
  return (
    <div className={styles.split} data-detail={selected !== null || undefined}>
      <SizedGrid
        label="Saved measures"
        columns={columnsOf(zoneName, api.nowMs())}
        rows={measures}
        total={measures.length}
        rowKey={({ name }) => name}
        selectedKey={selected?.name ?? null}
        onOpen={({ name }) => change({ sel: name })}
      />
      {selected && <SavedMeasureDetail key={selected.name} measure={selected} onClose={() => change({ sel: null })} />}
    </div>
  )
}
