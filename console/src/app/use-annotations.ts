import { useMemo } from 'react'
import { AnnotationsDocument, type AnnotationsQuery } from '../api/generated/Annotations.js'
import { useRequest } from '../api/use-request.js'
import type { TimeBand } from '../charts/time-bands.js'
import type { TimeMark } from '../charts/time-marks.js'
import { toMs } from '../format/instant.js'
import { visibleText } from '../format/visible-text.js'
import type { TimeWindow } from '../url/time-window.js'
import { useNamespace } from '../url/use-address.js'

type Interval = NonNullable<AnnotationsQuery['alertIntervals']>['intervals'][number]
type Deployment = NonNullable<AnnotationsQuery['serviceEvents']>['nodes'][number]

/** What charts draw next to their lines. */
export interface Annotations {
  /** When alerts fired. */
  readonly bands: readonly TimeBand[]
  /** Deployments. */
  readonly marks: readonly TimeMark[]
  /** What is missing, in a sentence; null when nothing is. */
  readonly gap: string | null
  readonly intervals: readonly Interval[]
  readonly deployments: readonly Deployment[]
}

/** No choice of services: all of them. */
export const ALL_SERVICES: readonly string[] = []

const NONE: Annotations = { bands: [], marks: [], gap: null, intervals: [], deployments: [] }

/** The name of the alert of an interval. */
export function alertName({ labels }: Pick<Interval, 'labels'>): string {
  return visibleText(labels.find(({ name }) => name === 'alertname')?.value ?? 'alert')
}

/** The version of a deployment. */
export function deploymentName({ version }: Pick<Deployment, 'version'>): string {
  return visibleText(version ?? 'deploy')
}

function gapOf({ alertIntervals, serviceEvents }: AnnotationsQuery): string | null {
  if (!alertIntervals || !serviceEvents) return 'Alerts or deployments could not be read.'
  const isCut = !alertIntervals.complete || serviceEvents.pageInfo.hasNextPage
  return isCut ? 'Not all alerts and deployments of this time are drawn; choose a shorter one.' : null
}

function annotationsOf(data: AnnotationsQuery): Annotations {
  const intervals = data.alertIntervals?.intervals ?? []
  const deployments = data.serviceEvents?.nodes ?? []
  return {
    intervals,
    deployments,
    bands: intervals.map(interval => ({ name: alertName(interval), fromMs: toMs(interval.from), toMs: toMs(interval.to) })),
    marks: deployments.map(deployment => ({ name: deploymentName(deployment), ms: toMs(deployment.at) })),
    gap: gapOf(data)
  }
}

/**
 * Alerts and deployments in the window, of these services, or of all with an empty list: one request for all charts of a page.
 * `services` has the same identity until they change.
 */
export function useAnnotations(services: readonly string[], window: TimeWindow): Annotations {
  const namespace = useNamespace()
  const service = services.length === 1 ? services[0]! : null
  const { data, error } = useRequest(AnnotationsDocument, { service, range: window }, { namespace })
  return useMemo(() => {
    if (data) return annotationsOf(services.length > 1 ? ofServices(data, services) : data)
    return error ? { ...NONE, gap: 'Alerts and deployments could not be read.' } : NONE
  }, [data, error, services])
}

/** What of annotations of all services is of these. */
function ofServices({ alertIntervals, serviceEvents }: AnnotationsQuery, services: readonly string[]): AnnotationsQuery {
  const isOf = ({ name, value }: { readonly name: string; readonly value: string }): boolean =>
    name === 'service' && services.includes(value)
  return {
    alertIntervals: alertIntervals && {
      ...alertIntervals,
      intervals: alertIntervals.intervals.filter(({ labels }) => labels.some(isOf))
    },
    serviceEvents: serviceEvents && {
      ...serviceEvents,
      nodes: serviceEvents.nodes.filter(({ service }) => service !== null && services.includes(service))
    }
  }
}
