import type { ApmServicesQuery } from '../api/generated/ApmServices.js'
import { formatFactor } from '../format/number.js'

type Change = NonNullable<NonNullable<ApmServicesQuery['serviceList']>['nodes'][number]['change']>

/** How a service changed against the window before, worst news first, in words of one cell. */
export function changeText(change: Change | null | undefined): string {
  if (!change) return 'not stored'
  const { requests, errorRate, p95 } = change
  if (requests == null) return 'new'
  const points = errorRate == null ? null : Math.round(errorRate * 1_000) / 10
  return [
    points === null || points === 0 ? null : `err ${points > 0 ? '+' : '−'}${Math.abs(points)} pt`,
    p95 == null || Math.round((p95 - 1) * 100) === 0 ? null : `p95 ${formatFactor(p95)}`,
    `req ${formatFactor(requests)}`
  ]
    .filter(part => part !== null)
    .join(' · ')
}
