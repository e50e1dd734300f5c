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

/** Alerts and deployments in the window, of one service or of all: one request for all charts of a page. */
export function useAnnotations(service: string | null, window: TimeWindow): Annotations {
  const namespace = useNamespace()
  const { data, error } = useRequest(AnnotationsDocument, { service, range: window }, { namespace })
  return useMemo(() => {
    if (data) return annotationsOf(data)
    return error ? { ...NONE, gap: 'Alerts and deployments could not be read.' } : NONE
  }, [data, error])
}
