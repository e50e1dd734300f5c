import { useApi } from '../api/context.js'
import { toMs } from '../format/instant.js'
import { formatAgeMs, formatCount, formatDurationMs, plural } from '../format/number.js'
import { type Completeness, WhyCut } from './cut-dialog.js'
import styles from './result-line.module.css'

/** Completeness and duration of a search, as the API reports them. */
export interface ResultStats extends Completeness {
  readonly tookMs: number
  /** Time of the newest record that a search can find. */
  readonly newestAt?: string | null | undefined
}

/** What the line shows of a search. */
export interface ResultLineProps {
  /** What is counted, in the singular: `log`. */
  readonly noun: string
  /** Accessible name of the line; `Result` when absent. */
  readonly label?: string
  readonly loaded: number
  readonly hasMore: boolean
  /** For a list that loads no further rows: states how many of the total it shows. */
  readonly isLimited?: boolean
  readonly total: { readonly value: number; readonly exact: boolean } | null
  readonly stats: ResultStats | null
  /** True while the rows of the former search are shown. */
  readonly isStale: boolean
  /** True when the search failed: its error is shown with the rows. */
  readonly hasFailed?: boolean
  /** True when the service refused the query: the rows are those of the search before. */
  readonly isRefused?: boolean
}

function countText({ noun, loaded, hasMore, isLimited = false, total }: ResultLineProps): string {
  if (total && isLimited && hasMore)
    return `${formatCount(loaded)} of ${total.exact ? '' : 'at least '}${plural(total.value, noun)}`
  if (total) return `${total.exact ? '' : 'at least '}${plural(total.value, noun)}`
  return `${hasMore ? 'more than ' : ''}${plural(loaded, noun)}`
}

/** `newest 2 s ago`: how far behind the present the search can see. */
function newestText(newestAt: string | null | undefined, nowMs: number): string {
  if (newestAt == null) return ''
  const ageMs = Math.max(0, Math.floor((nowMs - toMs(newestAt)) / 1_000) * 1_000)
  return ` · newest ${ageMs === 0 ? 'now' : `${formatAgeMs(ageMs)} ago`}`
}

function lineText(props: ResultLineProps, nowMs: number): string {
  const { stats, isStale, isRefused = false, hasFailed = false } = props
  if (isRefused) return stats === null ? 'The query is not valid.' : 'The query is not valid; these are the last results.'
  if (hasFailed) return stats === null ? 'The search failed.' : 'The search failed; these are the last results.'
  if (stats === null || isStale) return 'Searching…'
  const state = stats.complete ? 'complete' : `Incomplete: ${stats.warnings[0] ?? 'a limit was reached'}`
  return `${countText(props)} · ${state} · ${formatDurationMs(stats.tookMs)}${newestText(stats.newestAt, nowMs)}`
}

/** Count, completeness and duration in one line, spoken once per search. An incomplete result explains itself in a dialog. */
export function ResultLine(props: ResultLineProps): React.JSX.Element {
  const { stats, label = 'Result' } = props
  const api = useApi()
  const isCut = stats !== null && !stats.complete
  return (
    <div className={styles.line} data-incomplete={isCut || undefined}>
      <p role="status" aria-label={label}>
        {lineText(props, api.nowMs())}
      </p>
      {isCut && <WhyCut stats={stats} rows={`${formatCount(props.loaded)} rows`} />}
    </div>
  )
}
