import { useInstantFormat } from '../app/use-instant-format.js'
import { visibleText } from '../format/visible-text.js'
import type { Channel } from './channels.js'
import { cureOf } from './cure.js'
import styles from './page.module.css'

/** The last rejection of each channel that has one, latest first, with what ends it. */
export function Rejections({ channels }: { readonly channels: readonly Channel[] }): React.JSX.Element | null {
  const format = useInstantFormat()
  const rejecting = channels
    .filter(({ lastRejection, lastRejectedAt }) => lastRejection != null && lastRejectedAt != null)
    .toSorted((a, b) => b.lastRejectedAt!.localeCompare(a.lastRejectedAt!))
  if (rejecting.length === 0) return null
  return (
    <section aria-label="Last rejections">
      <h2>Last rejections</h2>
      <ul>
        {rejecting.map(({ protocol, signal, lastRejection, lastRejectedAt, state }) => (
          <li key={`${protocol} ${signal}`} className={styles.rejection}>
            <strong>
              {signal} over {protocol}
            </strong>
            {', '}
            <time dateTime={lastRejectedAt!}>{format.time(lastRejectedAt!)}</time> {format.zoneName}
            {state === 'RECEIVING' && ', accepted since'}
            <p>
              <code>{visibleText(lastRejection!)}</code>
            </p>
            <p>{cureOf(lastRejection!) ?? 'Correct what the sentence names, and send again.'}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
