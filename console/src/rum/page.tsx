import { isQueryFault } from '../api/errors.js'
import { RumSummaryDocument } from '../api/generated/RumSummary.js'
import { useRequest } from '../api/use-request.js'
import { Page } from '../app/page.js'
import { SendFirst } from '../app/send-first.js'
import { plural } from '../format/number.js'
import { QueryBox } from '../query/query-box.js'
import { Button } from '../ui/button.js'
import { FilterChips } from '../ui/filter-chips.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { Empty } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { ALL_TIME } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { useComparison } from '../url/use-comparison.js'
import { usePageWindow } from '../url/use-window.js'
import { BreakdownPanel } from './breakdown-panel.js'
import { DistributionPanel } from './distribution-panel.js'
import { PageViewsPanel } from './page-views.js'
import { FILTER_KEYS, readDimension, readRumFilter } from './rum-filter.js'
import { TrendPanel } from './trend-panel.js'
import { VitalCards } from './vital-cards.js'
import { readVital } from './vitals.js'

/** `/n/{namespace}/rum`: page timings of real users. */
export function RumPage(): React.JSX.Element {
  const namespace = useNamespace()
  const { search, change } = useAddress()
  const { window, problems } = usePageWindow()
  const filter = readRumFilter(search)
  const variables = { range: window, filter }
  const result = useRequest(RumSummaryDocument, variables, { namespace })
  const isRefused = isQueryFault(result.error)
  const isEmpty = result.data?.rum?.events === 0
  const tools = (
    <QueryBox
      value={one(search, 'q') ?? ''}
      error={result.error}
      placeholder="Search page URLs, or field:value"
      onSubmit={q => change({ q })}
    />
  )
  const own = [...useComparison().problems, ...readVital(search).problems, ...readDimension(search).problems]
  return (
    <Page title="RUM" tools={tools} problems={[...problems, ...own]}>
      <div className={layout.panels}>
        <FilterChips keys={FILTER_KEYS} />
        {isRefused ? (
          <p role="status" aria-label="Result">
            The query is not valid.
          </p>
        ) : (
          <Panel
            title="Page timings"
            result={result}
            source={{ request: { document: RumSummaryDocument, variables } }}
            minHeight={170}
            completenessOf={({ rum }) => rum?.stats}
          >
            {({ rum }) =>
              rum && rum.events > 0 ? (
                <>
                  <p className={layout.note} role="status" aria-label="Result">
                    {plural(rum.events, 'page view')} of {plural(rum.sessions, 'session')}
                  </p>
                  <VitalCards vitals={rum.vitals} />
                </>
              ) : (
                <NoPageViews isFiltered={Object.keys(filter).length > 0} />
              )
            }
          </Panel>
        )}
        {!isRefused && !isEmpty && (
          <>
            <div className={layout.pair}>
              <TrendPanel />
              <DistributionPanel />
            </div>
            <BreakdownPanel />
            <PageViewsPanel />
          </>
        )}
      </div>
    </Page>
  )
}

/** Why there are no page views: none stored, none for the filter, or none in the window. */
function NoPageViews({ isFiltered }: { readonly isFiltered: boolean }): React.JSX.Element {
  const namespace = useNamespace()
  const { change } = useAddress()
  const ever = useRequest(RumSummaryDocument, { range: ALL_TIME, filter: null }, { namespace })
  if (ever.data?.rum?.events === 0) return <SendFirst signal="rum" />
  if (isFiltered)
    return (
      <Empty title="No page view of this window matches the filter">
        <Button onClick={() => change(Object.fromEntries(['q', ...FILTER_KEYS].map(key => [key, null])))}>
          Remove the filter
        </Button>
      </Empty>
    )
  return (
    <Empty title="No page views in this window">
      <p>Choose a longer time range.</p>
    </Empty>
  )
}
