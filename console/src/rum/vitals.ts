import type { VitalRating, WebVital } from '../api/generated/RumSummary.js'
import type { Threshold } from '../charts/time-plot.js'
import { formatDurationMs } from '../format/number.js'
import { one, type SearchValues } from '../url/search-codec.js'
import type { AddressProblem } from '../url/time-window.js'

/** A page timing: its name, and the largest values that are good and that need improvement; null without thresholds. */
export interface VitalInfo {
  readonly vital: WebVital
  readonly short: string
  readonly name: string
  readonly thresholds: readonly [good: number, needsImprovement: number] | null
}

/** The timings of the page, in its order; thresholds of web.dev/articles/vitals. */
export const VITALS: readonly VitalInfo[] = [
  { vital: 'LCP', short: 'LCP', name: 'Largest Contentful Paint', thresholds: [2_500, 4_000] },
  { vital: 'INP', short: 'INP', name: 'Interaction to Next Paint', thresholds: [200, 500] },
  { vital: 'CLS', short: 'CLS', name: 'Cumulative Layout Shift', thresholds: [0.1, 0.25] },
  { vital: 'FID', short: 'FID', name: 'First Input Delay', thresholds: [100, 300] },
  { vital: 'LOAD', short: 'Load', name: 'end of the load event', thresholds: null },
  { vital: 'FCP', short: 'FCP', name: 'First Contentful Paint', thresholds: [1_800, 3_000] },
  { vital: 'TTFB', short: 'TTFB', name: 'Time to First Byte', thresholds: [800, 1_800] }
]

/** Fewer samples are too few for a 75th percentile. */
const MIN_SAMPLES = 30

/** Ratings as words, and shapes that distinguish them without colour. */
export const RATINGS: Readonly<Record<VitalRating, readonly [word: string, shape: string, colour: string]>> = {
  GOOD: ['good', '●', 'var(--vital-good)'],
  NEEDS_IMPROVEMENT: ['needs improvement', '▲', 'var(--vital-needs-improvement)'],
  POOR: ['poor', '■', 'var(--vital-poor)']
}

/** `2.94 s`, `0.121` for the score CLS; a dash without samples. */
export function formatVital(vital: WebVital, value: number | null | undefined): string {
  if (value == null) return '–'
  return vital === 'CLS' ? String(Number(value.toPrecision(3))) : formatDurationMs(value)
}

/** Rating of the values of a bucket that begins at `from`; null for a timing without thresholds. */
export function bucketRating({ thresholds }: VitalInfo, from: number): VitalRating | null {
  if (!thresholds) return null
  return from < thresholds[0] ? 'GOOD' : from < thresholds[1] ? 'NEEDS_IMPROVEMENT' : 'POOR'
}

/** Whether a value comes from too few samples to be judged. */
export function isSparse(samples: number): boolean {
  return samples > 0 && samples < MIN_SAMPLES
}

/** The thresholds of a timing as lines of a chart. */
export function thresholdLines({ vital, thresholds }: VitalInfo): readonly Threshold[] {
  if (!thresholds) return []
  const line = (word: string, value: number, colour: string): Threshold => ({
    name: `${word} above ${formatVital(vital, value)}`,
    value,
    colour
  })
  return [
    line('needs improvement', thresholds[0], 'var(--vital-needs-improvement)'),
    line('poor', thresholds[1], 'var(--vital-poor)')
  ]
}

/** Reads `vital`, the timing of the trend and of the map. An unknown one is reported, and LCP taken. */
export function readVital(search: SearchValues): { readonly info: VitalInfo; readonly problems: readonly AddressProblem[] } {
  const value = one(search, 'vital')
  const info = VITALS.find(({ vital }) => vital === value?.toUpperCase())
  if (info) return { info, problems: [] }
  return { info: VITALS[0]!, problems: value === null ? [] : [{ key: 'vital', value, instead: VITALS[0]!.short }] }
}
