import { type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { isQueryFault } from '../api/errors.js'
import { ErrorNewestDocument } from '../api/generated/ErrorNewest.js'
import { ErrorGroupsDocument, type ErrorGroupsQuery } from '../api/generated/ErrorGroups.js'
import { useRequest } from '../api/use-request.js'
import { Page } from '../app/page.js'
import { SendFirst } from '../app/send-first.js'
import { QueryBox } from '../query/query-box.js'
import { Button } from '../ui/button.js'
import { EXCEPTION_STATES } from '../ui/exception-state.js'
import { FilterChips } from '../ui/filter-chips.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { ResultLine } from '../ui/result-line.js'
import { Empty } from '../ui/states.js'
import { ALL_TIME } from '../url/time-window.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { readErrorFilter, STATES } from './error-filter.js'
import { ErrorGrid } from './error-grid.js'
import styles from './page.module.css'
import { useErrorGroups } from './use-error-groups.js'

/** `/n/{namespace}/errors`: errors by their fingerprint. */
export function ErrorsPage(): React.JSX.Element {
  const namespace = useNamespace()
  const { search, change } = useAddress()
  const { window, problems } = usePageWindow()
  const filter = readErrorFilter(search)
  const { query, services, states } = filter
  const result = useErrorGroups(namespace, window, filter)
  const isRefused = isQueryFault(result.error)
  const tools = (
    <QueryBox
      value={filter.query ?? ''}
      error={result.error}
      placeholder="Search messages, or field:value"
      onSubmit={q => change({ q })}
    />
  )
  return (
    <Page title="Exceptions" tools={tools} problems={[...problems, ...filter.problems]}>
      <div className={layout.panels}>
        <FilterChips keys={['service']} />
        {isRefused ? (
          <p role="status" aria-label="Result">
            The query is not valid.
          </p>
        ) : (
          <Panel
            title="Groups of exceptions"
            result={result}
            what="exceptions"
            actions={<StateFilter />}
            source={{ request: { document: ErrorGroupsDocument, variables: { range: window, query, services, states } } }}
            minHeight={120}
          >
            {data => <Groups data={data} result={result} isFiltered={isFiltering(filter)} />}
          </Panel>
        )}
      </div>
    </Page>
  )
}

function isFiltering({ query, services, states }: ReturnType<typeof readErrorFilter>): boolean {
  return query !== null || services !== null || states !== null
}

function Groups(props: {
  readonly data: InfiniteData<ErrorGroupsQuery>
  readonly result: UseInfiniteQueryResult<InfiniteData<ErrorGroupsQuery>>
  readonly isFiltered: boolean
}): React.JSX.Element {
  const { data, result, isFiltered } = props
  const groups = data.pages.flatMap(({ exceptionGroups }) => exceptionGroups?.nodes ?? [])
  if (groups.length === 0) return <NoErrors isFiltered={isFiltered} />
  const last = data.pages.at(-1)!.exceptionGroups
  const total = last?.total ?? null
  const onEnd = (): void => {
    if (result.hasNextPage && !result.isFetchingNextPage) void result.fetchNextPage()
  }
  return (
    <>
      <ResultLine
        noun="group"
        loaded={groups.length}
        hasMore={result.hasNextPage}
        total={total}
        stats={last?.stats ?? null}
        isStale={result.isPlaceholderData}
        hasFailed={result.error !== null}
      />
      <ErrorGrid groups={groups} total={total?.exact ? total.value : null} onEnd={onEnd} />
    </>
  )
}

/** One button for each state; several can be chosen, none means all. */
function StateFilter(): React.JSX.Element {
  const { search, change } = useAddress()
  const { states } = readErrorFilter(search)
  const chosen = new Set(states)
  return (
    <div className={styles.states} role="group" aria-label="State">
      {STATES.map(state => (
        <Button
          key={state}
          aria-pressed={chosen.has(state)}
          title={EXCEPTION_STATES[state]}
          onClick={() => {
            const next = STATES.filter(one => (one === state ? !chosen.has(one) : chosen.has(one)))
            change({ status: next.map(one => one.toLowerCase()) })
          }}
        >
          {state.toLowerCase()}
        </Button>
      ))}
    </div>
  )
}

/** Why no group is listed: none stored, none in the window, or none for the filter. */
function NoErrors({ isFiltered }: { readonly isFiltered: boolean }): React.JSX.Element {
  const namespace = useNamespace()
  const { change } = useAddress()
  const ever = useRequest(ErrorNewestDocument, { range: ALL_TIME }, { namespace })
  const newest = ever.data?.exceptionGroups?.nodes[0]
  if (ever.data && !newest) return <SendFirst signal="errors" />
  if (isFiltered)
    return (
      <Empty title="No exception of this window matches the filter">
        <Button onClick={() => change({ q: null, service: null, status: null })}>Remove the filter</Button>
      </Empty>
    )
  return (
    <Empty title="No exceptions in this window">
      {newest && (
        <Button onClick={() => change({ from: newest.firstSeen, to: null })}>Show the time since the latest group began</Button>
      )}
    </Empty>
  )
}
