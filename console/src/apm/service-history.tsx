import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { alertName, type Annotations, deploymentName } from '../app/use-annotations.js'
import { ChangedLink } from '../compare/changed-link.js'
import { plural } from '../format/number.js'
import { Instant } from '../ui/instant.js'
import layout from '../ui/page-layout.module.css'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'

/** Entries of a list; the charts have all. */
const SHOWN = 5

/** The alerts and deployments that the charts draw, in words; each leads to what changed then. */
export function ServiceHistory(props: { readonly service: string; readonly annotations: Annotations }): React.JSX.Element | null {
  const { service, annotations } = props
  const namespace = useNamespace()
  const { search } = useAddress()
  const { intervals, deployments, gap } = annotations
  if (intervals.length === 0 && deployments.length === 0 && gap === null) return null
  return (
    <div className={layout.note}>
      <Entries label="Alerts that fired" of={intervals}>
        {interval => (
          <li key={`${interval.ruleId} ${interval.from} ${JSON.stringify(interval.labels)}`}>
            <Link to="/n/$namespace/alerts/$id" params={{ namespace, id: interval.ruleId }} search={pageSearch(search)}>
              {alertName(interval)}
            </Link>{' '}
            {interval.isOpenAtStart ? 'fired since before ' : 'fired from '}
            <Instant value={interval.from} />
            {interval.isOpenAtEnd ? ', and still at ' : ' to '}
            <Instant value={interval.to} /> · <ChangedLink at={interval.from} event="alert" service={service} />
          </li>
        )}
      </Entries>
      <Entries label="Deployments" of={deployments}>
        {deployment => (
          <li key={deployment.id}>
            {deploymentName(deployment)} was deployed at <Instant value={deployment.at} /> ·{' '}
            <ChangedLink at={deployment.at} event="deployment" service={service} />
          </li>
        )}
      </Entries>
      {gap !== null && <p role="status">{gap}</p>}
    </div>
  )
}

function Entries<Entry>(props: {
  readonly label: string
  readonly of: readonly Entry[]
  readonly children: (entry: Entry) => ReactNode
}): React.JSX.Element | null {
  const { label, of: entries, children } = props
  if (entries.length === 0) return null
  return (
    <>
      <ul aria-label={label}>{entries.slice(0, SHOWN).map(children)}</ul>
      {entries.length > SHOWN && <p>and {plural(entries.length - SHOWN, 'more time', 'more times')}</p>}
    </>
  )
}
