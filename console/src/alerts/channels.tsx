import { useState } from 'react'
import { ChannelsDocument, type ChannelsQuery, DeleteChannelDocument, TestChannelDocument } from '../api/generated/Channels.js'
import { useRequest } from '../api/use-request.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { visibleText } from '../format/visible-text.js'
import { timeColumn } from '../tables/time-column.js'
import { SizedGrid } from '../tables/sized-grid.js'
import type { Column } from '../tables/virtual-grid.js'
import { Detail } from '../ui/detail.js'
import { FormError } from '../ui/form.js'
import { Instant } from '../ui/instant.js'
import { ResultView } from '../ui/result-view.js'
import { Empty } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { NewChannel } from './new-channel.js'
import styles from './page.module.css'

type Channel = NonNullable<ChannelsQuery['notificationChannels']>[number]
type Delivery = Channel['deliveries']['nodes'][number]

function columnsOf(zone: string): readonly Column<Channel>[] {
  return [
    { key: 'name', header: 'Name', width: '200px', render: ({ name }) => visibleText(name) },
    { key: 'kind', header: 'Kind', width: '110px', render: ({ kind }) => kind.toLowerCase() },
    { key: 'target', header: 'Target', width: 'minmax(220px, 1fr)', render: ({ target }) => visibleText(target) },
    {
      key: 'state',
      header: 'State',
      width: '96px',
      render: ({ enabled, disabledReason }) => (disabledReason == null ? enabled ? 'on' : 'off' : <b>disabled</b>)
    },
    {
      key: 'last',
      ...timeColumn('Last delivery', zone),
      render: ({ lastDeliveryAt }) => (lastDeliveryAt ? <Instant value={lastDeliveryAt} /> : 'never')
    },
    {
      key: 'error',
      header: 'Last error',
      width: 'minmax(160px, 1fr)',
      render: ({ lastError }) => visibleText(lastError ?? '')
    }
  ]
}

/** Where notifications are sent. Admins make channels, since these have credentials; members test them. */
export function Channels(): React.JSX.Element {
  const namespace = useNamespace()
  const { search, change } = useAddress()
  const { zoneName } = useInstantFormat()
  const result = useRequest(ChannelsDocument, {}, { namespace })
  return (
    <section className={styles.section} aria-label="Channels" aria-busy={result.isFetching}>
      <div className={styles.head}>
        <p className={styles.muted}>Routes decide which alerts are sent to which channel.</p>
        <NewChannel />
      </div>
      <ResultView result={result} what="channels">
        {({ notificationChannels }) => {
          const channels = notificationChannels ?? []
          const selected = channels.find(({ id }) => id === one(search, 'sel')) ?? null
          if (channels.length === 0)
            return (
              <Empty title="No channels yet">
                <p>No one is notified of alerts until an admin creates a channel.</p>
              </Empty>
            )
          return (
            <>
              <SizedGrid
                label="Channels"
                columns={columnsOf(zoneName)}
                rows={channels}
                total={channels.length}
                rowKey={({ id }) => id}
                selectedKey={selected?.id ?? null}
                onOpen={({ id }) => change({ sel: id })}
              />
              {selected && <ChannelDetail key={selected.id} channel={selected} onClose={() => change({ sel: null })} />}
            </>
          )
        }}
      </ResultView>
    </section>
  )
}

function ChannelDetail({ channel, onClose }: { readonly channel: Channel; readonly onClose: () => void }): React.JSX.Element {
  const namespace = useNamespace()
  const [isSure, setSure] = useState(false)
  const test = useSend(TestChannelDocument, namespace)
  const remove = useSend(DeleteChannelDocument, namespace, onClose)
  const { id, name, deliveries } = channel
  return (
    <Detail label={`Channel ${visibleText(name)}`} title={visibleText(name)} onClose={onClose}>
      <div className={styles.actions}>
        <RoleButton needs="MEMBER" disabled={test.isPending} onClick={() => test.mutate({ id })}>
          Test
        </RoleButton>
        <RoleButton needs="ADMIN" disabled={remove.isPending} onClick={() => (isSure ? remove.mutate({ id }) : setSure(true))}>
          {isSure ? 'Delete for good' : 'Delete'}
        </RoleButton>
      </div>
      {channel.disabledReason != null && (
        <p role="alert" className={styles.error}>
          Disabled: {visibleText(channel.disabledReason)}. Saving the channel enables it again.
        </p>
      )}
      <FormError error={test.error ?? remove.error} />
      <Deliveries deliveries={deliveries.nodes} />
    </Detail>
  )
}

function Deliveries({ deliveries }: { readonly deliveries: readonly Delivery[] }): React.JSX.Element {
  if (deliveries.length === 0) return <p className={styles.muted}>Nothing was sent to this channel yet.</p>
  return (
    <table className={styles.table}>
      <caption>Latest deliveries</caption>
      <thead>
        <tr>
          <th scope="col">Type</th>
          <th scope="col">State</th>
          <th scope="col">Attempts</th>
          <th scope="col">Next attempt</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map(({ id, type, state, attempts, nextAttemptAt }) => (
          <tr key={id}>
            <td>{type}</td>
            <td>{state}</td>
            <td>
              <ol className={styles.attempts}>
                {attempts.map(({ at, status, reason, tookMs }) => (
                  <li key={at}>
                    <Instant value={at} /> {status ?? ''} {visibleText(reason ?? '')}{' '}
                    {tookMs != null && <span className={styles.muted}>{Math.round(tookMs)} ms</span>}
                  </li>
                ))}
              </ol>
            </td>
            <td>{nextAttemptAt ? <Instant value={nextAttemptAt} /> : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
