import { useMemo } from 'react'
import { LogPatternsDocument, type LogPatternsQuery } from '../api/generated/LogPatterns.js'
import { isQueryFault } from '../api/errors.js'
import { useAsk } from '../api/use-ask.js'
import { useLastGood } from '../api/use-last-good.js'
import { Sparkline } from '../charts/sparkline.js'
import { formatCount, formatFactor, formatShare, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { withCondition } from '../query/with-condition.js'
import { type Column, VirtualGrid } from '../tables/virtual-grid.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { Empty, Failed, Loading } from '../ui/states.js'
import type { Comparison } from '../url/comparison.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import type { LogSearch } from './use-log-search.js'

type Pattern = NonNullable<LogPatternsQuery['logs']>['patterns'][number]

const STATES: Readonly<Record<Pattern['state'], string>> = { NEW: 'new', KNOWN: 'known', GONE: 'gone' }

/** `new`, `vanished`, or by how much the share changed, and how certain that is. */
function changeText({ change }: Pattern, name: string): string {
  if (!change) return 'no significant change'
  const certainty = `q = ${Number(change.q.toPrecision(2))}; ${plural(change.baseCount, 'log')} in the ${name}`
  if (change.baseCount === 0) return `new, ${certainty}`
  return `${formatFactor(2 ** change.effect)}, ${certainty}`
}

function trend({ trend: { series }, count }: Pattern): React.JSX.Element {
  return <Sparkline label={`${plural(count, 'log')} over the window`} samples={series[0]?.counts ?? []} />
}

function columnsOf(comparison: Comparison | null): readonly Column<Pattern>[] {
  const number = (key: string, header: string, render: Column<Pattern>['render']): Column<Pattern> => ({
    ...{ key, header, render },
    width: '84px',
    isNumeric: true
  })
  return [
    {
      key: 'template',
      header: 'Pattern',
      width: 'minmax(320px, 1fr)',
      render: ({ template, note }) => <span title={note ?? template}>{visibleText(template)}</span>
    },
    number('count', 'Logs', ({ count }) => formatCount(count)),
    number('share', 'Share', ({ share }) => formatShare(share)),
    { key: 'trend', header: 'Trend', width: '112px', render: trend },
    ...(comparison === null
      ? []
      : [
          {
            key: 'change',
            header: `Against the ${comparison.name}`,
            width: '260px',
            render: (row: Pattern) => <span title={changeText(row, comparison.name)}>{changeText(row, comparison.name)}</span>
          }
        ]),
    { key: 'state', header: 'State', width: '76px', render: ({ state, muted }) => (muted ? 'muted' : STATES[state]) },
    {
      key: 'seen',
      header: 'Last seen',
      width: '130px',
      render: ({ lastSeen }) => (lastSeen == null ? '–' : <Instant value={lastSeen} />)
    }
  ]
}

/** The patterns of a search; a row shows its logs. */
export function PatternList(props: { readonly query: LogSearch; readonly comparison: Comparison | null }): React.JSX.Element {
  const { query, comparison } = props
  const { namespace, window, filter } = query
  const { search, change } = useAddress()
  const compare = comparison?.window ?? null
  const patterns = useAsk(LogPatternsDocument, { range: window, filter, compare }, { namespace })
  const rows = useLastGood(patterns.data, namespace)?.logs?.patterns
  const columns = useMemo(() => columnsOf(comparison), [comparison])
  const open = ({ id }: Pattern): void =>
    change({ view: null, sel: null, q: withCondition(one(search, 'q') ?? '', 'pattern', id, false) })
  return (
    <>
      {patterns.error && !isQueryFault(patterns.error) && (
        <Failed error={patterns.error} onRetry={() => void patterns.refetch()} />
      )}
      {patterns.isPending && !rows && <Loading what="patterns" />}
      {rows?.length === 0 && <Empty title="No patterns">No log of this search has a pattern.</Empty>}
      {comparison !== null && rows !== undefined && rows.length > 0 && rows.every(row => !row.change) && (
        <p role="status">Nothing significant changed against the {comparison.name}.</p>
      )}
      {rows !== undefined && rows.length > 0 && (
        <div className={layout.list}>
          <VirtualGrid
            label="Patterns"
            columns={columns}
            rows={rows}
            total={rows.length}
            rowKey={({ id }) => id}
            selectedKey={null}
            onOpen={open}
          />
        </div>
      )}
    </>
  )
}
