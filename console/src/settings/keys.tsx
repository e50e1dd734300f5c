import { KeysDocument } from '../api/generated/Keys.js'
import { useRequest } from '../api/use-request.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import type { InstantFormat } from '../format/instant.js'
import { visibleText } from '../format/visible-text.js'
import { timeColumn } from '../tables/time-column.js'
import type { Column } from '../tables/virtual-grid.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { CreateKey } from './create-key.js'
import { type Key, KeyDetail } from './key-detail.js'
import styles from './page.module.css'
import { SizedGrid } from '../tables/sized-grid.js'

function day(instant: string | null | undefined, format: InstantFormat, absent: string): string {
  return instant == null ? absent : format.full(instant).slice(0, 16)
}

function columnsOf(format: InstantFormat): readonly Column<Key>[] {
  const zone = format.zoneName
  return [
    { key: 'name', header: 'Name', width: '180px', render: ({ name }) => visibleText(name) },
    { key: 'kind', header: 'Kind', width: '72px', render: ({ kind }) => kind },
    { key: 'state', header: 'State', width: '84px', render: ({ state }) => state.toLowerCase() },
    { key: 'prefix', header: 'Begins with', width: '130px', render: ({ prefix }) => <code>{prefix}…</code> },
    {
      key: 'used',
      ...timeColumn('Last used', zone),
      render: ({ lastUsedAt }) => day(lastUsedAt, format, 'never')
    },
    { key: 'expires', header: 'Expires', width: '140px', render: ({ expiresAt }) => day(expiresAt, format, 'never') },
    {
      key: 'created',
      header: 'Created',
      width: 'minmax(140px, 1fr)',
      render: ({ createdAt }) => day(createdAt, format, '–')
    }
  ]
}

/** API keys; those that are revoked stay in the list. */
export function Keys(): React.JSX.Element {
  const namespace = useNamespace()
  const result = useRequest(KeysDocument, {}, { namespace })
  return (
    <ResultView result={result} what="keys">
      {data => <Loaded keys={data.namespace.apiKeys} />}
    </ResultView>
  )
}

function Loaded({ keys }: { readonly keys: readonly Key[] | null | undefined }): React.JSX.Element {
  const { search, change } = useAddress()
  const format = useInstantFormat()
  const selected = keys?.find(({ id }) => id === one(search, 'sel')) ?? null
  return (
    <section aria-label="API keys" className={styles.section}>
      <div className={styles.row}>
        <h2>API keys</h2>
        <CreateKey />
      </div>
      {!keys && (
        <Empty title="Only admins see keys">
          <p>Request a key from an admin of the namespace; Members lists them.</p>
        </Empty>
      )}
      {keys?.length === 0 && (
        <Empty title="No keys yet">
          <p>Senders need a key of kind INGEST. Create one, and copy its secret into their settings.</p>
        </Empty>
      )}
      {keys && keys.length > 0 && (
        <div className={styles.split} data-detail={selected !== null || undefined}>
          <SizedGrid
            label="Keys"
            columns={columnsOf(format)}
            rows={keys}
            total={keys.length}
            rowKey={({ id }) => id}
            selectedKey={selected?.id ?? null}
            onOpen={({ id }) => change({ sel: id })}
          />
          {selected && <KeyDetail key={selected.id} apiKey={selected} onClose={() => change({ sel: null })} />}
        </div>
      )}
    </section>
  )
}
