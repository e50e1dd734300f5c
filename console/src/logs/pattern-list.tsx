import { useMemo } from 'react'
import { LogPatternsDocument } from '../api/generated/LogPatterns.js'
import { isQueryFault } from '../api/errors.js'
import { useRequest } from '../api/use-request.js'
import { useLastGood } from '../api/use-last-good.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { withCondition } from '../query/with-condition.js'
import { VirtualGrid } from '../tables/virtual-grid.js'
import layout from '../ui/page-layout.module.css'
import { PanelMenu } from '../ui/panel-menu.js'
import { Empty, Failed, Loading } from '../ui/states.js'
import type { Comparison } from '../url/comparison.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { hasVanished, type Pattern, patternColumns } from './pattern-columns.js'
import { PatternResult } from './pattern-result.js'
import type { LogSearch } from './use-log-search.js'

/** The patterns of a search; a row shows its logs. */
export function PatternList(props: { readonly query: LogSearch; readonly comparison: Comparison | null }): React.JSX.Element {
  const { query, comparison } = props
  const { namespace, window, filter } = query
  const { search, change } = useAddress()
  const { zoneName } = useInstantFormat()
  const compare = comparison?.window ?? null
  const request = { document: LogPatternsDocument, variables: { range: window, filter, compare } }
  const patterns = useRequest(request.document, request.variables, { namespace })
  const found = useLastGood(patterns.data, namespace)?.logs
  const rows = found?.patterns
  // Rows of another search, or of another comparison, are not of this one.
  const isStale = patterns.data === undefined || patterns.isPlaceholderData
  const columns = useMemo(() => patternColumns({ comparison, zoneName, isStale }), [comparison, zoneName, isStale])
  const open = (row: Pattern): void =>
    change({
      ...{ view: null, sel: null, q: withCondition(one(search, 'q') ?? '', 'pattern', row.id, false) },
      // The logs of a pattern that vanished are in the other window.
      ...(hasVanished(row) && comparison && { ...comparison.window, cmp: null })
    })
  return (
    <>
      {patterns.error && !isQueryFault(patterns.error) && (
        <Failed error={patterns.error} onRetry={() => void patterns.refetch()} />
      )}
      {patterns.isPending && !rows && <Loading what="patterns" />}
      {found && (
        <PatternResult
          rows={found.patterns}
          facts={found.patternFacts}
          isStale={isStale}
          error={patterns.error}
          menu={<PanelMenu title="Templates" source={{ request }} data={found.patterns} />}
        />
      )}
      {!isStale && rows?.length === 0 && <Empty title="No patterns">No log of this search has a pattern.</Empty>}
      {comparison !== null && !isStale && rows !== undefined && rows.length > 0 && rows.every(row => !row.change) && (
        <p className={layout.note} role="status">
          Nothing significant changed against the {comparison.name}.
        </p>
      )}
      {found && found.patterns.length > 0 && (
        <div className={layout.list}>
          <VirtualGrid
            label="Patterns"
            columns={columns}
            rows={found.patterns}
            total={found.patternFacts.hasMore ? null : found.patterns.length}
            rowKey={({ id }) => id}
            selectedKey={null}
            onOpen={open}
          />
        </div>
      )}
    </>
  )
}
