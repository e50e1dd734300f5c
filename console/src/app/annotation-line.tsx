import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { andOthers } from '../format/number.js'
import layout from '../ui/page-layout.module.css'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { alertName, type Annotations, deploymentName } from './use-annotations.js'

/** Names of a line; the chart has all. */
const SHOWN = 5

/** What a chart draws, in one line: the alerts that fired, each with a link to its rule, and the deployments. */
export function AnnotationLine({ annotations }: { readonly annotations: Annotations }): React.JSX.Element | null {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { intervals, deployments, gap } = annotations
  if (intervals.length === 0 && deployments.length === 0 && gap === null) return null
  const rules = [...new Map(intervals.map(interval => [interval.ruleId, alertName(interval)] as const))]
  const versions = [...new Set(deployments.map(deploymentName))]
  return (
    <p className={layout.note} role="note" aria-label="Alerts and deployments of this time">
      {rules.length > 0 && 'Fired: '}
      {rules.slice(0, SHOWN).map(([id, name], at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Link to="/n/$namespace/alerts/$id" params={{ namespace, id }} search={pageSearch(search)}>
            {name}
          </Link>
        </Fragment>
      ))}
      {andOthers(rules.length, SHOWN)}
      {rules.length > 0 && '. '}
      {versions.length > 0 && `Deployed: ${versions.slice(0, SHOWN).join(', ')}${andOthers(versions.length, SHOWN)}. `}
      {gap}
    </p>
  )
}
