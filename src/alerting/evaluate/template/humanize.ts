import { TemplateError } from './template-error.js'
import { goShort } from './go-format.js'

const DIGITS = 4
const LARGE = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const SMALL = ['m', 'u', 'n', 'p', 'f', 'a', 'z', 'y']
const BINARY = ['ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei', 'Zi', 'Yi']
const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400
const MS_PER_S = 1_000
/** Times of JavaScript end here. */
const MAX_TIME_S = 8.64e12

// Source: the functions of these names in template/template.go of Prometheus.

function scaled(value: number, prefixes: readonly string[], base: number): string {
  let prefix = ''
  let rest = value
  for (const next of prefixes) {
    if (Math.abs(rest) < base) break
    prefix = next
    rest /= base
  }
  return goShort(rest, DIGITS) + prefix
}

function small(value: number): string {
  let prefix = ''
  let rest = value
  for (const next of SMALL) {
    if (Math.abs(rest) >= 1) break
    prefix = next
    rest *= 1_000
  }
  return goShort(rest, DIGITS) + prefix
}

/** With a metric prefix: `1.234M`. */
export function humanize(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return goShort(value, DIGITS)
  return Math.abs(value) >= 1 ? scaled(value, LARGE, 1_000) : small(value)
}

/** With a binary prefix: `1.177Mi`. */
export function humanize1024(value: number): string {
  if (Math.abs(value) <= 1 || !Number.isFinite(value)) return goShort(value, DIGITS)
  return scaled(value, BINARY, 1_024)
}

/** Seconds as a length of time: `1d 2h 3m 4s`. */
export function humanizeDuration(value: number): string {
  if (!Number.isFinite(value)) return goShort(value, DIGITS)
  if (value === 0) return `${goShort(value, DIGITS)}s`
  if (Math.abs(value) < 1) return `${small(value)}s`
  const sign = value < 0 ? '-' : ''
  const length = Math.abs(value)
  const whole = Math.trunc(length)
  const [days, hours] = [Math.floor(whole / DAY_S), Math.floor(whole / HOUR_S) % 24]
  const [minutes, seconds] = [Math.floor(whole / MINUTE_S) % 60, whole % MINUTE_S]
  if (days > 0) return `${sign}${days}d ${hours}h ${minutes}m ${seconds}s`
  if (hours > 0) return `${sign}${hours}h ${minutes}m ${seconds}s`
  return minutes > 0 ? `${sign}${minutes}m ${seconds}s` : `${sign}${goShort(length, DIGITS)}s`
}

/** A ratio in percent: `12.34%`. */
export function humanizePercentage(value: number): string {
  return `${goShort(value * 100, DIGITS)}%`
}

/** Unix seconds as Go prints a time: `2015-12-03 13:17:47 +0000 UTC`. Throws `TemplateError` beyond the years of a `Date`. */
export function humanizeTimestamp(value: number): string {
  if (!Number.isFinite(value)) return goShort(value, DIGITS)
  if (Math.abs(value) > MAX_TIME_S) throw new TemplateError(`${value} is not a time in Unix seconds`)
  const ms = Math.floor(value * MS_PER_S)
  const iso = new Date(ms).toISOString()
  const [date = '', time = ''] = iso.slice(0, -1).split('T')
  const fraction = time.slice(time.indexOf('.')).replace(/\.?0+$/, '')
  return `${date} ${time.slice(0, time.indexOf('.'))}${fraction} +0000 UTC`
}
