import { WhatChangedDocument } from '../api/generated/WhatChanged.js'
import { useApi } from '../api/context.js'
import { isQueryFault } from '../api/errors.js'
import { useLastGood } from '../api/use-last-good.js'
import { useRequest } from '../api/use-request.js'
import { plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { FactsTable } from '../tables/facts-table.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { PanelMenu } from '../ui/panel-menu.js'
import { ResultLine, type ResultStats } from '../ui/result-line.js'
import { Empty, Failed, Loading } from '../ui/states.js'
import { type Comparison, readComparison, WINDOW_BEFORE } from '../url/comparison.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { useComparison } from '../url/use-comparison.js'
import { comparedSides, type ComparedSearch } from './compared-sides.js'
import { type Compared, findingColumns, type Finding, findingText } from './finding-columns.js'

const NOUNS = { LOGS: 'log', SPANS: 'span' } as const

/** The window that the address compares with; the one before when it names none. */
function useComparedWindow({ window }: ComparedSearch): Comparison {
  const api = useApi()
  const { comparison } = useComparison()
  return comparison ?? readComparison({ cmp: WINDOW_BEFORE }, window, api.nowMs()).comparison!
}

/** What differs between a search and the same search in another window: tested, largest effect first, each with its rows. */
export function WhatChanged({ search: compared }: { readonly search: ComparedSearch }): React.JSX.Element {
  const namespace = useNamespace()
  const comparison = useComparedWindow(compared)
  const request = { document: WhatChangedDocument, variables: { input: comparedSides(compared, comparison.window) } }
  const result = useRequest(request.document, request.variables, { namespace })
  const found = useLastGood(result.data, namespace)?.compare
  const isStale = result.data === undefined || result.isPlaceholderData
  const noun = NOUNS[compared.signal]
  return (
    <section className={layout.changes} aria-label="What changed" aria-busy={result.isFetching}>
      {result.error && !isQueryFault(result.error) && <Failed error={result.error} onRetry={() => void result.refetch()} />}
      {result.isPending && !found && <Loading what="what changed" />}
      {found && (
        <>
          <div className={layout.bar}>
            <ResultLine
              label="Differences"
              noun="difference"
              loaded={found.findings.length}
              hasMore={found.hasMore}
              total={null}
              stats={found.stats satisfies ResultStats}
              isStale={isStale}
              hasFailed={result.error !== null}
              isRefused={isQueryFault(result.error)}
            />
            <PanelMenu title="Differences" source={{ request }} data={found.findings} />
          </div>
          {compared.omitted !== undefined && <p className={layout.note}>{compared.omitted}</p>}
          {!isStale && <Findings compared={found} noun={noun} name={comparison.name} />}
        </>
      )}
    </section>
  )
}

function Findings(props: { readonly compared: Compared; readonly noun: string; readonly name: string }): React.JSX.Element {
  const { compared, noun, name } = props
  const { search } = useAddress()
  const { findings, base, other, tested, skipped, stats } = compared
  return (
    <>
      <p className={layout.note}>
        {plural(other.rows, noun)} from <Instant value={other.window.from} /> to <Instant value={other.window.to} />, against{' '}
        {plural(base.rows, noun)} of the {name} from <Instant value={base.window.from} /> to <Instant value={base.window.to} />.{' '}
        {plural(tested, 'value')} tested.
      </p>
      {/* `ResultLine` has those of an incomplete result. */}
      {stats.complete && stats.warnings.length > 0 && <p className={layout.note}>{stats.warnings.join(' ')}</p>}
      {findings.length === 0 ? (
        <Empty title="Nothing significant">
          {base.rows > 0 && other.rows > 0 && <p>No difference is larger than chance explains.</p>}
        </Empty>
      ) : (
        <FactsTable label="Differences" columns={findingColumns({ compared, search, noun })} rows={findings} rowKey={keyOf} />
      )}
      {skipped.length > 0 && (
        <details className={layout.note}>
          <summary>{plural(skipped.length, 'field')} not compared</summary>
          <ul>
            {skipped.map(({ field, reason }) => (
              <li key={field}>
                {visibleText(field)}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function keyOf(finding: Finding): string {
  return `${finding.kind} ${findingText(finding)} ${finding.value}`
}
