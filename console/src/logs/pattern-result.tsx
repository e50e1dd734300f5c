import type { ReactNode } from 'react'
import type { LogPatternsQuery } from '../api/generated/LogPatterns.js'
import { isQueryFault } from '../api/errors.js'
import { formatCount, plural } from '../format/number.js'
import layout from '../ui/page-layout.module.css'
import { ResultLine, type ResultStats } from '../ui/result-line.js'
import { hasVanished, type Pattern } from './pattern-columns.js'

/** Extent and completeness of a list of patterns. */
export type PatternFacts = NonNullable<LogPatternsQuery['logs']>['patternFacts']

/** The facts of a search, with the end of the list as a reason of its own. */
function statsOf({ hasMore, stats }: PatternFacts, listed: number): ResultStats {
  if (!hasMore) return stats
  const detail = `the list ends at its limit of ${formatCount(listed)} patterns`
  const cut = { kind: 'CAP', detail, remedy: 'Shorten the window, or add a condition.' }
  return { ...stats, complete: false, warnings: [...stats.warnings, detail], cuts: [...stats.cuts, cut] }
}

/** What the counts of the list leave out. */
function notesOf({ logs, unassigned, stats }: PatternFacts, vanished: number): string[] {
  const notes: string[] = []
  if (vanished > 0) notes.push(`${plural(vanished, 'listed pattern')} vanished and ${vanished === 1 ? 'is' : 'are'} not counted.`)
  if (unassigned > 0)
    notes.push(`${formatCount(unassigned)} of ${plural(logs, 'log')} ${unassigned === 1 ? 'has' : 'have'} no pattern.`)
  // `ResultLine` has those of an incomplete result.
  return stats.complete ? [...notes, ...stats.warnings] : notes
}

/** How many patterns a search has, how many of them are listed, and whether their counts are complete. */
export function PatternResult(props: {
  readonly rows: readonly Pattern[]
  readonly facts: PatternFacts
  /** True while the patterns of the former search are shown. */
  readonly isStale: boolean
  readonly error: Error | null
  /** At the end of the line. */
  readonly menu: ReactNode
}): React.JSX.Element {
  const { rows, facts, isStale, error, menu } = props
  const vanished = rows.filter(hasVanished).length
  const notes = isStale ? [] : notesOf(facts, vanished)
  return (
    <>
      <div className={layout.bar}>
        <ResultLine
          label="Patterns found"
          noun="pattern"
          loaded={rows.length - vanished}
          hasMore={facts.hasMore}
          isLimited
          total={facts.total}
          stats={statsOf(facts, rows.length)}
          isStale={isStale}
          hasFailed={error !== null}
          isRefused={isQueryFault(error)}
        />
        {menu}
      </div>
      {notes.length > 0 && <p className={layout.note}>{notes.join(' ')}</p>}
    </>
  )
}
