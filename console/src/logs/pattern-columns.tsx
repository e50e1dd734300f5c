import type { LogPatternsQuery } from '../api/generated/LogPatterns.js'
import { Sparkline } from '../charts/sparkline.js'
import { formatCount, formatFactor, formatShare, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { timeColumn } from '../tables/time-column.js'
import type { Column } from '../tables/virtual-grid.js'
import { Instant } from '../ui/instant.js'
import { LevelMark } from '../ui/level-mark.js'
import type { Comparison } from '../url/comparison.js'

/** A pattern of a search. */
export type Pattern = NonNullable<LogPatternsQuery['logs']>['patterns'][number]

const SERVICES_SHOWN = 2
const STATES: Readonly<Record<Pattern['state'], string>> = { NEW: 'new', KNOWN: 'known', GONE: 'gone' }

/** Whether only the window that was compared with has logs of it. */
export function hasVanished({ count }: Pattern): boolean {
  return count === 0
}

/** `new`, `vanished`, or by how much the share changed; the logs before, and how certain that is. */
function changeText(row: Pattern): string {
  const { change } = row
  if (!change) return 'no significant change'
  const certainty = `q = ${Number(change.q.toPrecision(2))}`
  if (change.baseCount === 0) return `new, ${certainty}`
  const kind = hasVanished(row) ? 'vanished' : formatFactor(2 ** change.effect)
  return `${kind}, ${formatCount(change.baseCount)} before, ${certainty}`
}

/** Logs over the window; of a pattern that vanished, over the window that was compared with. */
function trend(row: Pattern, comparison: Comparison | null): React.JSX.Element {
  const { series } = row.trend
  const count = hasVanished(row) ? (row.change?.baseCount ?? 0) : row.count
  const place = hasVanished(row) && comparison ? comparison.name : 'window'
  return <Sparkline label={`${plural(count, 'log')} over the ${place}`} samples={series[0]?.counts ?? []} />
}

/** `shop, bank +3`: the commonest services; the title has all that are known, with their logs. */
function Services({ services }: Pattern): React.JSX.Element {
  const names = services.map(({ value }) => visibleText(value))
  const more = names.length > SERVICES_SHOWN ? ` +${names.length - SERVICES_SHOWN}` : ''
  return <span title={countsText(services)}>{names.slice(0, SERVICES_SHOWN).join(', ') + more}</span>
}

/** The commonest level; the title has all of them, with their logs. */
function Levels({ levels }: Pattern): React.JSX.Element {
  return <span title={countsText(levels)}>{levels[0] && <LevelMark level={levels[0].value} />}</span>
}

function countsText(values: Pattern['levels']): string {
  return values.map(({ value, count }) => `${visibleText(value)}: ${formatCount(count)}`).join(', ')
}

/** What the columns depend on. */
export interface PatternContext {
  readonly comparison: Comparison | null
  readonly zoneName: string
  /** True while the rows are not those of this comparison. */
  readonly isStale: boolean
}

/** Columns of a list of patterns, with their changes when there is a window to compare with. */
export function patternColumns({ comparison, zoneName, isStale }: PatternContext): readonly Column<Pattern>[] {
  const number = (key: string, header: string, render: Column<Pattern>['render']): Column<Pattern> => ({
    ...{ key, header, render },
    width: '84px',
    isNumeric: true
  })
  return [
    {
      key: 'template',
      header: 'Pattern',
      width: 'minmax(240px, 1fr)',
      render: ({ template, note }) => <span title={note ?? template}>{visibleText(template)}</span>
    },
    // The change takes their place.
    ...(comparison === null
      ? [
          { key: 'levels', header: 'Level', width: '72px', render: Levels },
          { key: 'services', header: 'Service', width: '128px', render: Services }
        ]
      : []),
    number('count', 'Logs', ({ count }) => formatCount(count)),
    number('share', 'Share', ({ share }) => formatShare(share)),
    { key: 'trend', header: 'Trend', width: '112px', render: row => trend(row, comparison) },
    ...(comparison === null
      ? []
      : [
          {
            key: 'change',
            header: `Against the ${comparison.name}`,
            width: '260px',
            render: (row: Pattern) => {
              const text = isStale ? '…' : changeText(row)
              return <span title={text}>{text}</span>
            }
          }
        ]),
    { key: 'state', header: 'State', width: '76px', render: ({ state, muted }) => (muted ? 'muted' : STATES[state]) },
    {
      key: 'seen',
      ...timeColumn('Last seen', zoneName),
      render: ({ lastSeen }) => (lastSeen == null ? '–' : <Instant value={lastSeen} />)
    }
  ]
}
