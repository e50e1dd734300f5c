import { useCallback, useMemo } from 'react'
import { useLastGood } from '../api/use-last-good.js'
import { Page } from '../app/page.js'
import { Button } from '../ui/button.js'
import { FilterForm } from '../ui/filter-form.js'
import { HOST_STATES } from '../ui/host-state.js'
import { ResultLine } from '../ui/result-line.js'
import { Failed, Loading } from '../ui/states.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { readHostFilter, STATES } from './host-filter.js'
import { HostGrid } from './host-grid.js'
import { NoHosts } from './no-hosts.js'
import styles from './page.module.css'
import { useHostRows, useHostUsage } from './use-hosts.js'

/** A host that stops is seen within this time. */
const REFRESH_MS = 15_000

/** `/n/{namespace}/hosts`: hosts as logs, spans and metrics name them. */
export function HostsPage(): React.JSX.Element {
  const namespace = useNamespace()
  const { search, change } = useAddress()
  const filter = useMemo(() => readHostFilter(search), [search])
  const rows = useHostRows(namespace, filter, REFRESH_MS)
  const usage = useHostUsage(namespace, filter, REFRESH_MS)
  const pages = useLastGood(rows.data, namespace)?.pages
  const loaded = useMemo(() => pages?.flatMap(page => page.hostPage?.nodes ?? []) ?? [], [pages])
  const figures = useMemo(
    () => new Map(usage.data?.pages.flatMap(page => page.hostPage?.nodes ?? []).map(host => [host.name, host])),
    [usage.data]
  )
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = rows
  const { fetchNextPage: fetchUsage, hasNextPage: hasMoreUsage, isFetchingNextPage: isFetchingUsage } = usage
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
    if (hasMoreUsage && !isFetchingUsage) void fetchUsage()
  }, [fetchNextPage, hasNextPage, isFetchingNextPage, fetchUsage, hasMoreUsage, isFetchingUsage])
  const last = pages?.at(-1)?.hostPage
  const isStale = rows.isPlaceholderData || rows.error !== null
  const tools = (
    <FilterForm
      label="Find a host"
      value={filter.contains ?? ''}
      placeholder="Part of a host name"
      onSubmit={q => change({ q })}
    />
  )
  return (
    <Page title="Infrastructure" tools={tools} hasWindow={false} problems={filter.problems}>
      <section className={styles.page} aria-label="Hosts" aria-busy={rows.isFetching || usage.isFetching}>
        <div className={styles.bar}>
          <ResultLine
            noun="host"
            loaded={loaded.length}
            hasMore={hasNextPage}
            total={isStale ? null : (last?.total ?? null)}
            stats={last?.stats ?? null}
            isStale={isStale}
            hasFailed={rows.error !== null}
          />
          <StateFilter />
        </div>
        {rows.error && <Failed error={rows.error} onRetry={() => void rows.refetch()} />}
        {usage.error && !rows.error && <Failed error={usage.error} onRetry={() => void usage.refetch()} />}
        {rows.isPending && !pages && <Loading what="hosts" />}
        {rows.data && !isStale && loaded.length === 0 && <NoHosts filter={filter} />}
        {loaded.length > 0 && (
          <div className={styles.list}>
            <HostGrid hosts={loaded} usage={figures} total={last?.total ?? null} onEnd={onEnd} />
          </div>
        )}
      </section>
    </Page>
  )
}

/** One button for each state; several can be chosen, none means all. */
function StateFilter(): React.JSX.Element {
  const { search, change } = useAddress()
  const chosen = new Set(readHostFilter(search).states)
  return (
    <div className={styles.states} role="group" aria-label="State">
      {STATES.map(state => (
        <Button
          key={state}
          aria-pressed={chosen.has(state)}
          title={HOST_STATES[state]}
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
