import { Link } from '@tanstack/react-router'
import { SendTestSpanDocument } from '../api/generated/OtlpStatus.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { formatDurationMs } from '../format/number.js'
import { useNamespace } from '../url/use-address.js'
import styles from './page.module.css'

/** Sends a span through the OTLP pipeline of the service and links to its trace. */
export function TestSpan(): React.JSX.Element {
  const namespace = useNamespace()
  const { mutate, data, error, isPending } = useSend(SendTestSpanDocument, namespace)
  const span = data?.sendTestSpan.span
  return (
    <section aria-label="Test" className={styles.test}>
      <RoleButton needs="MEMBER" disabled={isPending} onClick={() => mutate({})}>
        Send a test span
      </RoleButton>
      <p role="status">
        {isPending && 'Sending…'}
        {!isPending && span?.readable && `Stored and read back in ${formatDurationMs(span.tookMs)}. `}
        {!isPending && span?.readable === false && 'Accepted, but a query did not find it yet. '}
        {!isPending && span && (
          <Link to="/n/$namespace/traces/$traceId" params={{ namespace, traceId: span.traceId }}>
            Open test trace
          </Link>
        )}
      </p>
      {error && !isPending && (
        <p role="alert" className={styles.failure}>
          {error.message.charAt(0).toUpperCase() + error.message.slice(1)}
        </p>
      )}
      {!span && !error && !isPending && (
        <p className={styles.facts}>
          The span passes through the same pipeline as all spans and is read back. The counts below leave it out.
        </p>
      )}
    </section>
  )
}
