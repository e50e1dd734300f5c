import { Link } from '@tanstack/react-router'
import { type FormEvent, useMemo, useRef } from 'react'
import { SimilarTracesDocument, type SimilarTracesQuery } from '../api/generated/SimilarTraces.js'
import { TraceComparisonDocument, type TraceComparisonQuery } from '../api/generated/TraceComparison.js'
import { useRequest } from '../api/use-request.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatDurationMs, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { type FactColumn, FactsTable } from '../tables/facts-table.js'
import { Button } from '../ui/button.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { one, withValues } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { windowAround } from './links.js'
import type { Trace } from './outline.js'
import styles from './page.module.css'
import type { TreeSpan } from './span-tree.js'

type Operation = NonNullable<TraceComparisonQuery['compareTraces']>['operations'][number]

/** Rows of the table; the operations with the largest difference come first. */
const MAX_OPERATIONS = 200
const ID = /^[0-9a-f]{1,32}$/i

const CHANGES: Readonly<Record<Operation['change'], string>> = {
  APPEARED: 'appeared',
  VANISHED: 'vanished',
  SLOWED: 'slower',
  SPED_UP: 'faster',
  UNCHANGED: 'same'
}

/** The trace of the page and its first root. */
export interface ComparisonPanelProps {
  readonly trace: Trace
  readonly root: TreeSpan | undefined
}

/** Compares the trace with another one, which the key `base` of the address names. */
export function ComparisonPanel({ trace, root }: ComparisonPanelProps): React.JSX.Element {
  const { search, change } = useAddress()
  const base = one(search, 'base')
  const form = useRef<HTMLFormElement>(null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const value = new FormData(form.current!).get('base')
    if (typeof value === 'string') change({ base: value.trim() })
  }
  return (
    <div className={styles.scroller}>
      <form key={base} ref={form} className={styles.bar} onSubmit={submit}>
        <label>
          Compare with trace{' '}
          <input
            name="base"
            className={styles.id}
            defaultValue={base ?? ''}
            placeholder="trace id"
            pattern="[0-9a-fA-F]{1,32}"
            title="1 to 32 hexadecimal digits"
          />
        </label>
        <Button type="submit">Compare</Button>
        {base !== null && <Button onClick={() => change({ base: null })}>Choose another trace</Button>}
      </form>
      {base === null ? (
        <Candidates trace={trace} root={root} />
      ) : ID.test(base) ? (
        <Comparison trace={trace} base={base} />
      ) : (
        <Empty title="This is not a trace id">
          <p>
            The address has <code>{`base=${visibleText(base.slice(0, 100))}`}</code>; a trace id has 1 to 32 hexadecimal digits.
          </p>
        </Empty>
      )}
    </div>
  )
}

/** Traces with the same root operation, to choose from. */
function Candidates({ trace, root }: ComparisonPanelProps): React.JSX.Element {
  const namespace = useNamespace()
  const variables = useMemo(() => {
    const { from, to } = windowAround(trace, null)
    const filter = root ? { services: [root.service], operations: [root.operation], rootOnly: true } : null
    return { range: { from: from as string, to: to as string }, filter }
  }, [trace, root])
  const result = useRequest(SimilarTracesDocument, variables, { namespace, enabled: root !== undefined })
  return (
    <ResultView result={result} what="similar traces">
      {({ traces }) => <Others others={traces?.nodes.filter(({ traceId }) => traceId !== trace.traceId) ?? []} />}
    </ResultView>
  )
}

type SimilarTrace = NonNullable<SimilarTracesQuery['traces']>['nodes'][number]

function Others({ others }: { readonly others: readonly SimilarTrace[] }): React.JSX.Element {
  const format = useInstantFormat()
  const { search } = useAddress()
  if (others.length === 0) return <Empty title="No other trace within an hour has the same root operation" />
  return (
    <FactsTable
      label="Traces with the same root operation"
      rows={others}
      rowKey={({ traceId }) => traceId}
      columns={[
        {
          header: 'Trace',
          render: ({ traceId, startTime }) => (
            <Link to="." search={withValues(search, { base: traceId })}>
              {format.time(startTime)}
            </Link>
          )
        },
        { header: 'Duration', isNumeric: true, render: ({ durationMs }) => formatDurationMs(durationMs) },
        { header: 'Spans', isNumeric: true, render: ({ spanCount }) => spanCount },
        { header: 'Errors', isNumeric: true, render: ({ errorCount }) => errorCount }
      ]}
    />
  )
}

function totalsOf(totals: Operation['base']): string {
  return totals ? `${plural(totals.spans, 'span')}, ${formatDurationMs(totals.meanMs)}` : '–'
}

const COLUMNS: readonly FactColumn<Operation>[] = [
  { header: 'Operation', render: ({ service, operation }) => `${visibleText(service)} · ${visibleText(operation)}` },
  { header: 'Change', render: ({ change }) => CHANGES[change] },
  { header: 'Other trace', isNumeric: true, render: ({ base }) => totalsOf(base) },
  { header: 'This trace', isNumeric: true, render: ({ other }) => totalsOf(other) },
  {
    header: 'Self time',
    isNumeric: true,
    render: ({ selfTimeDeltaMs }) => `${selfTimeDeltaMs > 0 ? '+' : ''}${formatDurationMs(selfTimeDeltaMs)}`
  }
]

function Comparison({ trace, base }: { readonly trace: Trace; readonly base: string }): React.JSX.Element {
  const namespace = useNamespace()
  const variables = { base, other: trace.traceId }
  const result = useRequest(TraceComparisonDocument, variables, { namespace })
  return (
    <ResultView result={result} what="the comparison">
      {({ compareTraces }) => compareTraces && <Compared trace={trace} comparison={compareTraces} />}
    </ResultView>
  )
}

function Compared(props: {
  readonly trace: Trace
  readonly comparison: NonNullable<TraceComparisonQuery['compareTraces']>
}): React.JSX.Element {
  const { trace, comparison } = props
  const namespace = useNamespace()
  const { search } = useAddress()
  const { base: other, operations } = comparison
  const tz = one(search, 'tz')
  return (
    <>
      <p className={styles.line}>
        This trace took {formatDurationMs(trace.durationMs)} with {plural(trace.spanCount, 'span')}, the{' '}
        <Link
          to="/n/$namespace/traces/$traceId"
          params={{ namespace, traceId: other.traceId }}
          search={tz === null ? {} : { tz }}
        >
          other trace
        </Link>{' '}
        {formatDurationMs(other.durationMs)} with {plural(other.spanCount, 'span')}.
        {operations.length > MAX_OPERATIONS &&
          ` The ${MAX_OPERATIONS} operations with the largest difference of self time are shown, of ${operations.length}.`}
      </p>
      <FactsTable
        label="Operations of both traces"
        columns={COLUMNS}
        rows={operations.slice(0, MAX_OPERATIONS)}
        rowKey={({ service, operation, kind }) => `${service}\u0000${operation}\u0000${kind}`}
      />
    </>
  )
}
