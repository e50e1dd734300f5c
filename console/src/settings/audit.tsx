import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { AuditLogDocument, type AuditLogQuery } from '../api/generated/AuditLog.js'
import { useApi } from '../api/context.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { visibleBlock, visibleText } from '../format/visible-text.js'
import { timeColumn } from '../tables/time-column.js'
import type { Column } from '../tables/virtual-grid.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { DetailCard } from './detail-card.js'
import styles from './page.module.css'
import { SizedGrid } from '../tables/sized-grid.js'

type Entry = NonNullable<AuditLogQuery['namespace']['auditLog']>['nodes'][number]

function actorOf({ actor }: Entry): string {
  if (actor == null) return 'unknown'
  if (actor.__typename === 'User') return visibleText(actor.email)
  return actor.__typename === 'ApiKeyPrincipal' ? `key ${visibleText(actor.key.name)}` : ''
}

function detailOf({ detail }: Entry): string {
  return detail == null ? '' : visibleText(JSON.stringify(detail))
}

/** Actions that concern the security of the namespace, latest first. */
export function Audit(): React.JSX.Element {
  const namespace = useNamespace()
  const api = useApi()
  const result = useInfiniteQuery({
    queryKey: [namespace, 'settings.audit'],
    queryFn: ({ signal, pageParam }) => api.request(AuditLogDocument, { after: pageParam }, { namespace, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: page => {
      const info = page.namespace.auditLog?.pageInfo
      return info?.hasNextPage ? info.endCursor : null
    }
  })
  return (
    <ResultView result={result} what="the audit log">
      {data => <Loaded data={data} more={result} />}
    </ResultView>
  )
}

function Loaded(props: {
  readonly data: InfiniteData<AuditLogQuery>
  readonly more: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
}): React.JSX.Element {
  const { data, more } = props
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = more
  const { search, change } = useAddress()
  const isHidden = data.pages[0]?.namespace.auditLog == null
  const entries = data.pages.flatMap(page => page.namespace.auditLog?.nodes ?? [])
  const selected = entries.find(({ id }) => id === one(search, 'sel')) ?? null
  return (
    <section aria-label="Audit log" className={styles.section}>
      <h2>Audit log</h2>
      {isHidden && (
        <Empty title="Only admins see the audit log">
          <p>Contact an admin of the namespace; Members lists them.</p>
        </Empty>
      )}
      {!isHidden && entries.length === 0 && <Empty title="No entries" />}
      {entries.length > 0 && (
        <div className={styles.split} data-detail={selected !== null || undefined}>
          <AuditGrid
            entries={entries}
            isWhole={!hasNextPage}
            selected={selected?.id ?? null}
            onEnd={() => {
              if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
            }}
          />
          {selected && (
            <DetailCard label="Entry detail" title={selected.action} onClose={() => change({ sel: null })}>
              <pre>{visibleBlock(JSON.stringify(selected, null, 2))}</pre>
            </DetailCard>
          )}
        </div>
      )}
    </section>
  )
}

function AuditGrid(props: {
  readonly entries: readonly Entry[]
  readonly isWhole: boolean
  readonly selected: string | null
  readonly onEnd: () => void
}): React.JSX.Element {
  const { change } = useAddress()
  const format = useInstantFormat()
  const columns: readonly Column<Entry>[] = [
    {
      key: 'at',
      ...timeColumn('Time', format.zoneName),
      sorted: 'descending',
      render: ({ at }) => format.full(at).slice(0, 19)
    },
    { key: 'action', header: 'Action', width: '220px', render: ({ action }) => action },
    { key: 'actor', header: 'Actor', width: '200px', render: actorOf },
    { key: 'detail', header: 'Detail', width: 'minmax(200px, 1fr)', render: detailOf }
  ]
  return (
    <SizedGrid
      label="Audit entries"
      columns={columns}
      rows={props.entries}
      total={props.isWhole ? props.entries.length : null}
      rowKey={({ id }) => id}
      selectedKey={props.selected}
      onOpen={({ id }) => change({ sel: id })}
      onEnd={props.onEnd}
    />
  )
}
