import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { TracePageDocument } from '../api/generated/TracePage.js'
import { useRequest } from '../api/use-request.js'
import { Page } from '../app/page.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { useShortcuts } from '../app/use-shortcuts.js'
import { serviceColours } from '../charts/service-colour.js'
import { formatDurationMs, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Empty, Failed, Loading } from '../ui/states.js'
import { Tabs } from '../ui/tabs.js'
import { one } from '../url/search-codec.js'
import type { AddressProblem } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { ComparisonPanel } from './comparison-panel.js'
import { findSpans, neighbour } from './find.js'
import { FindBox } from './find-box.js'
import { FlamePanel } from './flame-panel.js'
import { useFolding } from './folding.js'
import { logQuery, windowAround } from './links.js'
import { LogsPanel } from './logs-panel.js'
import { MapPanel } from './map-panel.js'
import { OperationsPanel } from './operations-panel.js'
import { type Trace, treeOf } from './outline.js'
import styles from './page.module.css'
import { SpanDetail } from './span-detail.js'
import { FoldMenu, WaterfallPanel } from './waterfall-panel.js'

const TABS = [
  { value: 'waterfall', name: 'Waterfall' },
  { value: 'flame', name: 'Flame graph' },
  { value: 'operations', name: 'Operations' },
  { value: 'map', name: 'Map' },
  { value: 'logs', name: 'Logs' },
  { value: 'compare', name: 'Compare' }
] as const

/** `/n/{namespace}/traces/{id}`: one trace. */
export function TracePage(): React.JSX.Element {
  const namespace = useNamespace()
  const traceId = useParams({ strict: false, select: params => (params as { traceId?: string }).traceId ?? '' })
  const { data, error, refetch, isPlaceholderData } = useRequest(TracePageDocument, { traceId }, { namespace })
  const failure = error && <Failed error={error} onRetry={() => void refetch()} />
  if (data?.trace && !isPlaceholderData) return <Loaded key={data.trace.traceId} trace={data.trace} failure={failure} />
  return (
    <Page title="Trace" hasWindow={false}>
      {failure ? (
        failure
      ) : data && !isPlaceholderData ? (
        <Empty title="This trace is not stored">
          <p>
            No span of <code>{visibleText(traceId)}</code> is stored in this namespace: not sampled, not arrived yet, or expired.
          </p>
        </Empty>
      ) : (
        <Loading what="the trace" />
      )}
    </Page>
  )
}

/** The tab of the address, and a problem when the address names another one. */
function useTab(): { readonly tab: (typeof TABS)[number]['value']; readonly problems: readonly AddressProblem[] } {
  const { search } = useAddress()
  const value = one(search, 'tab')
  const known = TABS.find(tab => tab.value === value)
  const problems = value !== null && !known ? [{ key: 'tab', value, instead: 'the waterfall' }] : []
  return { tab: known?.value ?? 'waterfall', problems }
}

function Loaded({ trace, failure }: { readonly trace: Trace; readonly failure: ReactNode }): React.JSX.Element {
  const namespace = useNamespace()
  const navigate = useNavigate()
  const { search, change } = useAddress()
  const { tab, problems } = useTab()
  const tree = useMemo(() => treeOf(trace), [trace])
  const indices = useMemo(() => new Map(tree.map(({ spanId, index }) => [spanId, index])), [tree])
  const services = useMemo(() => trace.services.map(({ service }) => service), [trace])
  const colours = useMemo(() => serviceColours(services), [services])
  const selected = one(search, 'span')
  const selectedIndex = selected === null ? undefined : indices.get(selected)
  const folding = useFolding(tree, selected)
  const [text, setText] = useState('')
  const found = useMemo(() => findSpans(tree, text), [tree, text])
  const matches = useMemo(() => new Set(found), [found])
  const errors = useMemo(() => tree.filter(({ isError }) => isError).map(({ index }) => index), [tree])
  const hasSelection = selected !== null
  const select = useCallback((spanId: string) => change({ span: spanId }, { replace: hasSelection }), [change, hasSelection])
  const openSpan = useCallback((spanId: string) => change({ span: spanId, tab: null }), [change])
  const goTo = (candidates: readonly number[], direction: 'next' | 'previous'): void => {
    const index = neighbour(candidates, selectedIndex ?? -1, direction)
    if (index !== null) change({ span: tree[index]!.spanId, tab: null }, { replace: hasSelection })
  }
  const tz = one(search, 'tz')
  const openLogs = (): void => {
    const span = selectedIndex === undefined ? undefined : tree[selectedIndex]
    // A dead end is never opened: without logs of the span, the key does nothing.
    if (span ? span.logCount === 0 : trace.logCount === 0) return
    const target = { ...windowAround(trace, tz), q: logQuery(trace.traceId, span?.spanId) }
    void navigate({ to: '/n/$namespace/logs', params: { namespace }, search: target })
  }
  useShortcuts({
    e: () => goTo(errors, 'next'),
    E: () => goTo(errors, 'previous'),
    L: openLogs
  })
  const position = selectedIndex === undefined ? -1 : found.indexOf(selectedIndex)
  const root = tree[0]
  const title = root ? `${root.service} · ${root.operation}` : trace.traceId
  const tools = tab === 'waterfall' && (
    <>
      <FoldMenu tree={tree} services={services} foldOnly={folding.foldOnly} />
      <FindBox
        text={text}
        count={found.length}
        position={position === -1 ? null : position + 1}
        onText={setText}
        onMove={direction => goTo(found, direction)}
      />
    </>
  )
  return (
    <Page title={visibleText(title)} hasWindow={false} problems={problems}>
      <div className={styles.trace}>
        {failure}
        <TraceFacts trace={trace} />
        <div className={styles.columns}>
          <Tabs
            label="Views of the trace"
            value={tab}
            tabs={TABS}
            onChoose={value => change({ tab: value === 'waterfall' ? null : value })}
            tools={tools}
          >
            {tab === 'waterfall' && (
              <WaterfallPanel
                trace={trace}
                tree={tree}
                colours={colours}
                folding={folding}
                selected={selected}
                matches={matches}
                onSelect={select}
              />
            )}
            {tab === 'flame' && <FlamePanel tree={tree} colours={colours} onOpen={openSpan} />}
            {tab === 'operations' && <OperationsPanel tree={tree} onOpen={openSpan} />}
            {tab === 'map' && <MapPanel traceId={trace.traceId} rootService={root?.service ?? null} />}
            {tab === 'logs' && <LogsPanel trace={trace} tree={tree} />}
            {tab === 'compare' && <ComparisonPanel trace={trace} root={root} />}
          </Tabs>
          {selected !== null && (
            <SpanDetail traceId={trace.traceId} spanId={selected} trace={trace} onClose={() => change({ span: null })} />
          )}
        </div>
      </div>
    </Page>
  )
}

/** When the trace ran, how large it is, and what is missing of it. */
function TraceFacts({ trace }: { readonly trace: Trace }): React.JSX.Element {
  const namespace = useNamespace()
  const format = useInstantFormat()
  const { search } = useAddress()
  // With a selection, "Open logs" is the link to the logs of the span.
  const hasSelection = one(search, 'span') !== null
  const { warnings, truncated, hasMissingSpans } = trace
  return (
    <p className={styles.facts} role="status" aria-label="Result" data-incomplete={truncated || undefined}>
      <time dateTime={trace.startTime} title={format.full(trace.startTime)}>
        {format.time(trace.startTime)}
      </time>{' '}
      {format.zoneName} · {formatDurationMs(trace.durationMs)} · {plural(trace.spanCount, 'span')} ·{' '}
      {plural(trace.errorCount, 'error')} · {plural(trace.services.length, 'service')} ·{' '}
      {trace.logCount > 0 ? (
        <Link
          to="/n/$namespace/logs"
          params={{ namespace }}
          search={{ ...windowAround(trace, one(search, 'tz')), q: logQuery(trace.traceId) }}
        >
          {hasSelection ? plural(trace.logCount, 'log') : 'Open logs'}
        </Link>
      ) : (
        'no logs'
      )}
      {trace.logCount > 0 && !hasSelection && ` (${plural(trace.logCount, 'log')})`}
      {truncated && ' · Incomplete: more spans are stored than are shown'}
      {hasMissingSpans && ' · some parent spans are not stored'}
      {warnings.map(warning => ` · ${warning}`)}
    </p>
  )
}
