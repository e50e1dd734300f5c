import { formatShare } from '../format/number.js'
import styles from './page.module.css'

/** Percent from which a resource counts as nearly used up. */
const HIGH = 90
const PERCENT = 100

/** A percentage as text and bar; a dash where there is no recent sample. High ones are marked. */
export function Meter({ percent }: { readonly percent: number | null | undefined }): React.JSX.Element {
  if (percent == null) return <span title="No sample in the last 5 minutes">–</span>
  return (
    <span className={styles.meter} data-high={percent >= HIGH || undefined}>
      <span className={styles.percent}>{formatShare(percent / PERCENT)}</span>
      <span className={styles.track}>
        <span className={styles.fill} style={{ width: `${Math.max(0, Math.min(PERCENT, percent))}%` }} />
      </span>
    </span>
  )
}
