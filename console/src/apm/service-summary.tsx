import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ApmServiceQuery } from '../api/generated/ApmService.js'
import { useInstantFormat } from '../app/use-instant-format.js'
import { formatRate } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Instant } from '../ui/instant.js'
import { pageSearch } from '../url/page-search.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { changeText } from './change-text.js'
import styles from './page.module.css'
import { FailedShare, Percentile, RequestCount, ServiceStateMark } from './service-facts.js'

type Service = NonNullable<ApmServiceQuery['service']>

/** The figures of a service in the window, its state, and where it ran. */
export function ServiceSummary({ service }: { readonly service: Service }): React.JSX.Element {
  const format = useInstantFormat()
  const { red } = service
  const of = { service: service.name }
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ['Requests', <RequestCount key="" of={of} count={red.requests} />],
    ['Rate', formatRate(red.ratePerSecond)],
    ['Error rate', <FailedShare key="" of={of} share={red.errorRate} />],
    ['p50', <Percentile key="" of={of} ms={red.p50Ms} />],
    ['p95', <Percentile key="" of={of} ms={red.p95Ms} />],
    ['p99', <Percentile key="" of={of} ms={red.p99Ms} />],
    ['Apdex (500 ms)', service.apdex == null ? '–' : service.apdex.toFixed(2)]
  ]
  const origin = [service.language, service.version].filter(Boolean).join(' ')
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.origin}>
        <ServiceStateMark state={service.state} />, last seen <Instant value={service.lastSeen} /> {format.zoneName}
        {origin && ` · ${visibleText(origin)}`} · against the window before: {changeText(service.change)}
      </p>
      <Origins service={service} />
    </>
  )
}

/** Where the service ran in the window, and which versions of it. */
function Origins({ service: { hosts, releases } }: { readonly service: Service }): React.JSX.Element | null {
  const namespace = useNamespace()
  const { search } = useAddress()
  if (hosts.length + releases.length === 0) return null
  return (
    <p className={styles.origin}>
      {releases.length > 0 && (
        <>
          {releases.length === 1 ? 'Version' : 'Versions'}:{' '}
          {releases.map(({ version, firstSeen }, index) => (
            <span key={version}>
              {index > 0 && ', '}
              {visibleText(version)} since <Instant value={firstSeen} />
            </span>
          ))}
        </>
      )}
      {hosts.length > 0 && (
        <>
          {releases.length > 0 && ' · '}
          {hosts.length === 1 ? 'Host' : 'Hosts'}:{' '}
          {hosts.map(({ name }, index) => (
            <span key={name}>
              {index > 0 && ', '}
              <Link to="/n/$namespace/hosts/$host" params={{ namespace, host: name }} search={pageSearch(search)}>
                {visibleText(name)}
              </Link>
            </span>
          ))}
        </>
      )}
    </p>
  )
}
