const COUNT = new Intl.NumberFormat('en')
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })

/** `4,120`. */
export function formatCount(value: number): string {
  return COUNT.format(value)
}

/** `4.12K`, for axes and narrow cells. */
export function formatCompact(value: number): string {
  return COMPACT.format(value)
}

/** `3 logs`, `1 log`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}

/** Behind a list that has its first `most` of `count` elements: ` and 3 others`; empty when it has all. */
export function andOthers(count: number, most: number): string {
  return count > most ? ` and ${plural(count - most, 'other')}` : ''
}

const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
  [1, 'ms'],
  [0.001, 'us']
]

/** A duration with three significant digits: `3.1 s`, `450 ms`, `12 us`. */
export function formatDurationMs(ms: number): string {
  if (ms === 0) return '0 ms'
  const [size, unit] = UNITS.find(([size]) => Math.abs(ms) >= size) ?? UNITS.at(-1)!
  return `${Number((ms / size).toPrecision(3))} ${unit}`
}

/** How long ago something was, in whole units: `59 s`, `1 min`. */
export function formatAgeMs(ms: number): string {
  const [size, unit] = UNITS.find(([size]) => ms >= size) ?? UNITS.at(-1)!
  return `${Math.floor(ms / size)} ${unit}`
}

/** A share from 0 to 1 in percent, three significant digits: `1.25 %`; small ones as `< 0.01 %`. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.0001) return '< 0.01 %'
  return `${Number((share * 100).toPrecision(3))} %`
}

/** A share from 0 to 1 in whole percent, for narrow places: `17 %`; a part that rounds to none or to all as `<1 %`, `>99 %`. */
export function formatWholeShare(share: number): string {
  const percent = Math.round(share * 100)
  if (percent === 0 && share > 0) return '<1 %'
  return percent === 100 && share < 1 ? '>99 %' : `${percent} %`
}

/** Events per second, three significant digits: `12.5/s`; rates below 0.1/s per minute: `3/min`. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) return '0/s'
  return perSecond < 0.1 ? `${Number((perSecond * 60).toPrecision(3))}/min` : `${COMPACT.format(perSecond)}/s`
}

/** A change by a factor: `+20 %`, `−50 %`, `×12` from tenfold on. */
export function formatFactor(factor: number): string {
  if (factor >= 10) return `×${Math.round(factor)}`
  const percent = Math.round((factor - 1) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)} %`
}

/** A duration, or a dash where nothing was measured. */
export function formatLatency(ms: number | null | undefined): string {
  return ms == null ? '–' : formatDurationMs(ms)
}
