import { OtlpStatusDocument, type OtlpStatusQuery } from '../api/generated/OtlpStatus.js'
import { useRequest } from '../api/use-request.js'
import { Page } from '../app/page.js'
import { formatCompact, plural } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Empty, Failed, Loading } from '../ui/states.js'
import { useNamespace } from '../url/use-address.js'
import { Channels } from './channels.js'
import styles from './page.module.css'
import { Rejections } from './rejections.js'
import { SendSettings } from './send-settings-panel.js'
import { TestSpan } from './test-span.js'

/** A sender that has just been started shows within this time. */
const REFRESH_MS = 5_000

type Status = NonNullable<OtlpStatusQuery['otlpStatus']>

/** `/n/{namespace}/otlp`: whether OTLP arrives, why not, and how to send it. */
export function OtlpPage(): React.JSX.Element {
  const namespace = useNamespace()
  const { data, error, refetch } = useRequest(OtlpStatusDocument, {}, { namespace, refreshMs: REFRESH_MS })
  const status = data?.otlpStatus
  return (
    <Page title="OTLP status" hasWindow={false}>
      <div className={styles.page}>
        {error && <Failed error={error} onRetry={() => void refetch()} />}
        {!status && !error && <Loading what="the status" />}
        {status && <Loaded status={status} />}
      </div>
    </Page>
  )
}

function Loaded({ status }: { readonly status: Status }): React.JSX.Element {
  const { channels, endpoints, services } = status
  const isEmpty = channels.every(({ state }) => state === 'NEVER')
  return (
    <>
      <p role="status" aria-label="Result" className={styles.facts}>
        {formatCompact(status.spansPerSecond)} spans/s · {formatCompact(status.logsPerSecond)} logs/s ·{' '}
        {formatCompact(status.pointsPerSecond)} points/s · {plural(services.length, 'service')}
      </p>
      {isEmpty && (
        <Empty title="No OTLP request has arrived since the start of this gateway">
          <p>Copy the lines below into the environment of your application, or send a test span first.</p>
        </Empty>
      )}
      <TestSpan />
      {isEmpty && <SendSettings endpoints={endpoints} />}
      <Rejections channels={channels} />
      <Channels channels={channels} />
      {services.length > 0 && (
        <section aria-label="Services that send">
          <h2>Services that send</h2>
          <p>{services.map(visibleText).join(', ')}</p>
        </section>
      )}
      {!isEmpty && <SendSettings endpoints={endpoints} />}
    </>
  )
}
