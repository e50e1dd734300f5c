import type { OtlpStatusQuery } from '../api/generated/OtlpStatus.js'
import { Snippet } from '../ui/snippet.js'
import styles from './page.module.css'
import { sendSettings } from '../app/send-settings.js'

type Endpoint = NonNullable<OtlpStatusQuery['otlpStatus']>['endpoints'][number]

/** Lines to copy into SDKs and the Collector, with the URLs that the receivers have. */
export function SendSettings({ endpoints }: { readonly endpoints: readonly Endpoint[] }): React.JSX.Element {
  const urlOf = (protocol: string): string | null => endpoints.find(one => one.protocol === protocol)?.url ?? null
  const settings = sendSettings({ httpUrl: urlOf('http/protobuf'), grpcUrl: urlOf('grpc') })
  return (
    <section aria-label="Settings of senders">
      <h2>Settings of senders</h2>
      <p className={styles.facts}>
        The lines have this service’s URLs. Put a key of kind INGEST in place of <code>{'<ingest key>'}</code>.
        {urlOf('grpc') === null && ' OTLP over gRPC is disabled on this gateway.'}
      </p>
      <div className={styles.settings}>
        {settings.map(({ title, text }) => (
          <Snippet key={title} title={title} text={text} />
        ))}
      </div>
    </section>
  )
}
