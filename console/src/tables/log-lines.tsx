import { Link } from '@tanstack/react-router'
import type { LatestLogsQuery } from '../api/generated/LatestLogs.js'
import { visibleText } from '../format/visible-text.js'
import { Instant } from '../ui/instant.js'
import type { SearchValues } from '../url/search-codec.js'
import { useNamespace } from '../url/use-address.js'
import styles from './log-lines.module.css'

/** Longer messages are cut; the detail of the record has them whole. */
const SHOWN_CHARACTERS = 300

/** A few log records, one line each, which open their record on the page of logs; `search` is the query string of that page. */
export function LogLines(props: {
  readonly logs: NonNullable<LatestLogsQuery['logs']>['nodes']
  readonly search: SearchValues
}): React.JSX.Element {
  const namespace = useNamespace()
  return (
    <ol className={styles.lines}>
      {props.logs.map(({ id, timestamp, level, service, message }) => (
        <li key={id}>
          <Link to="/n/$namespace/logs" params={{ namespace }} search={{ ...props.search, sel: id }} className={styles.line}>
            <Instant value={timestamp} />{' '}
            <span className={styles.level} style={{ '--level': `var(--level-${level.toLowerCase()})` } as React.CSSProperties}>
              {level.toLowerCase()}
            </span>{' '}
            <span>{visibleText(service ?? '')}</span>{' '}
            <span className={styles.message}>{visibleText(message.slice(0, SHOWN_CHARACTERS))}</span>
          </Link>
        </li>
      ))}
    </ol>
  )
}
