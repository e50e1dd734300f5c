import type { UseQueryResult } from '@tanstack/react-query'
import type { PromqlChartQuery } from '../api/generated/PromqlChart.js'
import { ApiError, isQueryFault } from '../api/errors.js'
import { formatDurationMs, formatCount } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { WhyCut } from '../ui/cut-dialog.js'
import { Failed } from '../ui/states.js'
import styles from './page.module.css'
import { withQuotedName } from './selector.js'
import { matrixOf } from './use-promql.js'

/** What became of an expression: number of series, completeness, or the error with its remedy. */
export function ExpressionStatus(props: {
  readonly expression: string
  readonly result: UseQueryResult<PromqlChartQuery>
  readonly onReplace: (expression: string) => void
}): React.JSX.Element {
  const { expression, result, onReplace } = props
  const { error, refetch, isFetching } = result
  if (error) {
    const quoted = withQuotedName(expression)
    const suggestions = [...(error instanceof ApiError ? error.suggestions : []), ...(quoted === null ? [] : [quoted])]
    const isRefused = isQueryFault(error)
    return (
      <>
        {isRefused ? (
          <p role="alert" className={styles.refused}>
            {visibleText(error.message)}
          </p>
        ) : (
          <Failed error={error} onRetry={() => void refetch()} />
        )}
        <Suggestions suggestions={suggestions} onReplace={onReplace} />
      </>
    )
  }
  const matrix = matrixOf(result)
  if (!matrix) return <p className={styles.status}>Evaluating…</p>
  const { series, stats } = matrix
  const found = `${formatCount(series.length)} series`
  const cut = stats.complete ? 'complete' : 'Incomplete'
  return (
    <div className={styles.status} data-incomplete={!stats.complete || undefined}>
      <p role="status">
        {found} · {cut} · {formatDurationMs(stats.tookMs)}
        {stats.warnings.length > 0 && `: ${stats.warnings.map(visibleText).join(' ')}`}
        {isFetching && ' · reading again…'}
      </p>
      {!stats.complete && <WhyCut stats={stats} />}
    </div>
  )
}

function Suggestions(props: {
  readonly suggestions: readonly string[]
  readonly onReplace: (expression: string) => void
}): React.JSX.Element | null {
  if (props.suggestions.length === 0) return null
  return (
    <p className={styles.bar}>
      {props.suggestions.map(text => (
        <Button key={text} onClick={() => props.onReplace(text)}>
          Write <code>{visibleText(text)}</code>
        </Button>
      ))}
    </p>
  )
}
