import type { Samples } from './chart-data.js'
import styles from './sparkline.module.css'

const WIDTH = 96
const HEIGHT = 20

/** Bars of a series in a table cell. `label` describes them in words. */
export function Sparkline(props: {
  readonly label: string
  readonly samples: Samples
  /** A part of each bar that is coloured as an error, for example failed requests. */
  readonly errors?: Samples
}): React.JSX.Element {
  const { label, samples, errors } = props
  const max = Math.max(0, ...[...samples, ...(errors ?? [])].map(value => value ?? 0))
  const step = WIDTH / Math.max(1, samples.length, errors?.length ?? 0)
  const height = (value: number | null | undefined): number =>
    max === 0 || !value ? 0 : Math.max(1, (value / max) * (HEIGHT - 1))
  const bars = (values: Samples, className: string | undefined): React.JSX.Element[] =>
    values.flatMap((value, index) =>
      height(value) === 0
        ? []
        : [
            <rect
              key={`${className} ${index}`}
              className={className}
              x={index * step}
              y={HEIGHT - height(value)}
              width={Math.max(0.5, step - 0.5)}
              height={height(value)}
            />
          ]
    )
  return (
    <svg className={styles.sparkline} width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      <line className={styles.base} x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      {bars(samples, styles.bar)}
      {errors && bars(errors, styles.error)}
    </svg>
  )
}
