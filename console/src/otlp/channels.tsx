import type { OtlpStatusQuery } from '../api/generated/OtlpStatus.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import type { InstantFormat } from '../format/instant.js'
import { formatCount, formatDurationMs } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { type FactColumn, FactsTable } from '../tables/facts-table.js'
import { skewWarning } from './cure.js'
import styles from './page.module.css'

/** One protocol and signal of the status. */
export type Channel = NonNullable<OtlpStatusQuery['otlpStatus']>['channels'][number]

function instant(value: string | null | undefined, format: InstantFormat): React.ReactNode {
  if (value == null) return '–'
  return (
    <time dateTime={value} title={`${format.full(value)} ${format.zoneName}`}>
      {format.time(value)}
    </time>
  )
}

function Skew({ ms }: { readonly ms: number | null | undefined }): React.JSX.Element {
  if (ms == null) return <>–</>
  const warning = skewWarning(ms)
  return (
    <>
      {`${formatDurationMs(Math.abs(Math.round(ms)))}${ms < 0 ? ' ahead' : ''}`}
      {warning !== null && <span className={styles.warning}>{warning}</span>}
    </>
  )
}

function columnsOf(format: InstantFormat): readonly FactColumn<Channel>[] {
  return [
    { header: 'Signal', render: ({ signal }) => signal },
    { header: 'Protocol', render: ({ protocol }) => protocol },
    {
      header: 'State',
      render: ({ state }) => (
        <span className={styles.state} data-state={state.toLowerCase()}>
          {state.toLowerCase()}
        </span>
      )
    },
    { header: `Last accepted (${format.zoneName})`, render: ({ lastAcceptedAt }) => instant(lastAcceptedAt, format) },
    { header: 'Accepted', isNumeric: true, render: ({ records }) => formatCount(records) },
    { header: 'Rejected', isNumeric: true, render: ({ rejectedRecords }) => formatCount(rejectedRecords) },
    { header: 'Clock skew', isNumeric: true, render: ({ clockSkewMs }) => <Skew ms={clockSkewMs} /> },
    {
      header: 'Without service',
      isNumeric: true,
      render: ({ withoutService }) => (
        <>
          {formatCount(withoutService)}
          {withoutService > 0 && <span className={styles.warning}>set OTEL_SERVICE_NAME</span>}
        </>
      )
    },
    { header: 'SDK', render: ({ sdk }) => (sdk == null ? '–' : visibleText(sdk)) }
  ]
}

/** State of each protocol and signal, those with traffic first. */
export function Channels({ channels }: { readonly channels: readonly Channel[] }): React.JSX.Element {
  const format = useInstantFormat()
  const rows = channels.toSorted((a, b) => Number(a.state === 'NEVER') - Number(b.state === 'NEVER'))
  return (
    <section aria-label="Protocols and signals">
      <h2>Protocols and signals</h2>
      <FactsTable
        label="Channels"
        columns={columnsOf(format)}
        rows={rows}
        rowKey={({ protocol, signal }) => `${protocol} ${signal}`}
      />
      <p className={styles.facts}>
        Counts are those of this gateway since its start. Stale: no request in the last 5 minutes. Rejecting: the latest request
        was rejected, in whole or in part.
      </p>
    </section>
  )
}
