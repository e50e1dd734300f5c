import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Completeness, WhyCut } from './cut-dialog.js'
import { PanelMenu, type PanelSource } from './panel-menu.js'
import styles from './panel.module.css'
import { ResultView } from './result-view.js'

/** One request of a page and its result. */
export interface PanelProps<Result> {
  /** Heading of the panel and name of its region. */
  readonly title: string
  readonly result: UseQueryResult<Result>
  /** What is read, after "Loading"; the title in lower case when absent. */
  readonly what?: string
  /** Links and controls to the right of the title. */
  readonly actions?: ReactNode
  /** The request of the panel, for its menu. */
  readonly source?: PanelSource
  /** Completeness of the result; absent for results that cannot be cut. */
  readonly completenessOf?: (result: Result) => Completeness | null | undefined
  /** Height in pixels that loading keeps free for the content. */
  readonly minHeight?: number
  /** Content of a result; an empty one states why and what to do. */
  readonly children: (result: Result) => ReactNode
}

/**
 * A region that loads, fails and is retried on its own. A failure keeps the last result below it; a result of a former
 * window is shown dimmed until the next one arrives.
 */
export function Panel<Result>(props: PanelProps<Result>): React.JSX.Element {
  const { title, result, what = title.toLowerCase(), actions, source, completenessOf, minHeight, children } = props
  const { data, isPlaceholderData } = result
  const completeness = data === undefined ? null : completenessOf?.(data)
  return (
    <section className={styles.panel} aria-label={title} aria-busy={result.isFetching}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {actions}
        {source && <PanelMenu title={title} source={source} data={data} />}
      </div>
      {completeness?.complete === false && (
        <div className={styles.incomplete}>
          <p role="status">Incomplete: {completeness.warnings.join(' ')}</p>
          <WhyCut stats={completeness} />
        </div>
      )}
      <div
        className={styles.body}
        data-stale={isPlaceholderData || undefined}
        style={minHeight === undefined || data !== undefined ? {} : { minHeight }}
      >
        <ResultView result={result} what={what}>
          {children}
        </ResultView>
      </div>
    </section>
  )
}
