import { RumDistributionDocument, type RumDistributionQuery } from '../api/generated/RumDistribution.js'
import { useRequest } from '../api/use-request.js'
import { formatCount, formatShare, plural } from '../format/number.js'
import { FactsTable } from '../tables/facts-table.js'
import layout from '../ui/page-layout.module.css'
import { Panel } from '../ui/panel.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import styles from './distribution-panel.module.css'
import { readRumFilter } from './rum-filter.js'
import { bucketRating, formatVital, RATINGS, readVital, type VitalInfo } from './vitals.js'

type Distribution = NonNullable<RumDistributionQuery['rum']>['distribution']

const AXIS_SHARES = [0, 0.25, 0.5, 0.75]

/** How many page views had which value of the chosen timing. */
export function DistributionPanel(): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { window } = usePageWindow()
  const { info } = readVital(search)
  const variables = { range: window, filter: readRumFilter(search), vital: info.vital }
  const result = useRequest(RumDistributionDocument, variables, { namespace })
  return (
    <Panel
      title="Distribution"
      result={result}
      source={{ request: { document: RumDistributionDocument, variables } }}
      minHeight={220}
      completenessOf={({ rum }) => rum?.stats}
    >
      {({ rum }) =>
        rum && rum.distribution.counts.some(count => count > 0) ? (
          <Bars info={info} distribution={rum.distribution} />
        ) : (
          <p className={layout.note}>No page view of this window reports it.</p>
        )
      }
    </Panel>
  )
}

interface Bucket {
  /** `0 to 100 ms`; the last one has no end. */
  readonly range: string
  readonly count: number
  readonly colour: string
}

function bucketsOf(info: VitalInfo, { bounds, counts }: Distribution): readonly Bucket[] {
  const format = (value: number): string => formatVital(info.vital, value)
  return counts.map((count, index) => {
    const from = index === 0 ? 0 : bounds[index - 1]!
    const to = bounds[index]
    const rating = bucketRating(info, from)
    return {
      range: to === undefined ? `over ${format(from)}` : `${format(from)} to ${format(to)}`,
      count,
      colour: rating === null ? 'var(--series-1)' : RATINGS[rating][2]
    }
  })
}

function Bars({ info, distribution }: { readonly info: VitalInfo; readonly distribution: Distribution }): React.JSX.Element {
  const buckets = bucketsOf(info, distribution)
  const max = Math.max(...buckets.map(({ count }) => count))
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  const end = distribution.bounds.at(-1)!
  return (
    <figure className={styles.figure} aria-label={`Distribution of ${info.name}`}>
      <svg viewBox={`0 0 ${buckets.length} 1`} preserveAspectRatio="none" aria-hidden="true">
        {buckets.map(({ range, count, colour }, index) => (
          <rect key={range} x={index + 0.06} width={0.88} y={1 - count / max} height={count / max} fill={colour}>
            <title>{`${range}: ${plural(count, 'page view')}`}</title>
          </rect>
        ))}
      </svg>
      <div className={styles.axis} aria-hidden="true">
        {AXIS_SHARES.map(share => (
          <span key={share}>{formatVital(info.vital, share * end)}</span>
        ))}
        <span>over {formatVital(info.vital, end)}</span>
      </div>
      <details>
        <summary>Show data</summary>
        <FactsTable
          label={`Distribution of ${info.name}`}
          rows={buckets.filter(({ count }) => count > 0)}
          rowKey={({ range }) => range}
          columns={[
            { header: info.short, render: ({ range }) => range },
            { header: 'Page views', isNumeric: true, render: ({ count }) => formatCount(count) },
            { header: 'Share', isNumeric: true, render: ({ count }) => formatShare(count / total) }
          ]}
        />
      </details>
    </figure>
  )
}
