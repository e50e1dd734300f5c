import { Link } from '@tanstack/react-router'
import { alertName, type Annotations } from '../app/use-annotations.js'
import { plural } from '../format/number.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'

/** Intervals of the list; the charts have all. */
const SHOWN = 5

/** The alerts that the charts draw, in words. */
export function FiredAlerts({ annotations }: { readonly annotations: Annotations }): React.JSX.Element | null {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { intervals, gap } = annotations
  if (intervals.length === 0 && gap === null) return null
  return (
    <div className={layout.note}>
      {intervals.length > 0 && (
        <ul aria-label="Alerts that fired">
          {intervals.slice(0, SHOWN).map(interval => (
            <li key={`${interval.ruleId} ${interval.from} ${JSON.stringify(interval.labels)}`}>
              <Link to="/n/$namespace/alerts/$id" params={{ namespace, id: interval.ruleId }} search={pageSearch(search)}>
                {alertName(interval)}
              </Link>{' '}
              fired from <Instant value={interval.from} /> to <Instant value={interval.to} />
            </li>
          ))}
        </ul>
      )}
      {intervals.length > SHOWN && <p>and {plural(intervals.length - SHOWN, 'more time', 'more times')}</p>}
      {gap !== null && <p role="status">{gap}</p>}
    </div>
  )
}
