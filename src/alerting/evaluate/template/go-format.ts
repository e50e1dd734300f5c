import { goNumber } from '../../../query/promql/go-number.js'
import { goQuoted, goQuotedRune } from '../../../query/promql/go-quote.js'
import { TemplateError } from './template-error.js'
import { isList, isMap, printed, type TemplateValue, typeName } from './values.js'

/** Digits and columns that a verb may request. */
const MAX_WIDTH = 1_000
/** `toFixed` and its kin have no more. */
const MAX_PRECISION = 100
const DEFAULT_PRECISION = 6
const EXPONENT_DIGITS = 2
const LEAST_PLAIN = -4
const VERB = /%([-+# 0]*)(\d+)?(?:\.(\d*))?(.)?/gsu

interface Verb {
  readonly flags: string
  readonly width: number
  readonly precision: number | null
  readonly letter: string
}

function goExponent(text: string): string {
  const [digits = '', exponent = '0'] = text.split('e')
  const power = Number(exponent)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(EXPONENT_DIGITS, '0')}`
}

function specialNumber(value: number): string | null {
  if (Number.isFinite(value)) return null
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/** A number as Go's `%.<precision>g` writes it. */
export function goShort(value: number, precision: number): string {
  const special = specialNumber(value)
  if (special !== null) return special
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const digits = Math.max(precision, 1)
  const [mantissa = '', exponent = '0'] = value.toExponential(digits - 1).split('e')
  const power = Number(exponent)
  const isPlain = power >= LEAST_PLAIN && power < digits
  const text = isPlain ? value.toFixed(Math.max(0, digits - 1 - power)) : mantissa
  const shortest = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return isPlain ? shortest : goExponent(`${shortest}e${exponent}`)
}

/** `toFixed` has exponents from 1e21 on; Go has digits. */
function fixed(value: number, precision: number): string {
  if (Math.abs(value) < 1e21) return Object.is(value, -0) ? `-${(0).toFixed(precision)}` : value.toFixed(precision)
  return BigInt(value).toString() + (precision > 0 ? `.${'0'.repeat(precision)}` : '')
}

function formatFloat(value: number, { letter, precision, flags }: Verb): string | null {
  const special = specialNumber(value)
  const digits = precision ?? DEFAULT_PRECISION
  const plus = flags.includes('+') && value >= 0 && special === null ? '+' : ''
  switch (letter) {
    case 'f':
    case 'F':
      return plus + (special ?? fixed(value, digits))
    case 'e':
    case 'E':
      return (
        plus +
        (special ??
          (letter === 'E' ? goExponent(value.toExponential(digits)).toUpperCase() : goExponent(value.toExponential(digits))))
      )
    case 'g':
    case 'v':
      return plus + (precision === null ? goNumber(value) : goShort(value, precision))
    case 'G':
      return plus + (precision === null ? goNumber(value) : goShort(value, precision)).toUpperCase()
    default:
      return null
  }
}

const BASES: Readonly<Record<string, number>> = { d: 10, v: 10, x: 16, X: 16, o: 8, b: 2 }

function formatInteger(value: bigint, { letter, flags }: Verb): string | null {
  if (letter === 'c') return String.fromCodePoint(Number(value))
  if (letter === 'q') return goQuotedRune(String.fromCodePoint(Number(value)))
  const base = BASES[letter]
  if (base === undefined) return null
  const text = value.toString(base)
  const plus = flags.includes('+') && value >= 0n ? '+' : ''
  return plus + (letter === 'X' ? text.toUpperCase() : text)
}

function formatString(value: string, { letter, precision }: Verb): string | null {
  const cut = precision === null ? value : Array.from(value).slice(0, precision).join('')
  switch (letter) {
    case 's':
    case 'v':
      return cut
    case 'q':
      return goQuoted(cut)
    case 'x':
    case 'X': {
      const hex = Buffer.from(cut, 'utf8').toString('hex')
      return letter === 'X' ? hex.toUpperCase() : hex
    }
    default:
      return null
  }
}

function formatValue(value: TemplateValue, verb: Verb): string {
  const bad = (): string => `%!${verb.letter}(${value === null ? '<nil>' : `${typeName(value)}=${printed(value)}`})`
  if (value === null) return verb.letter === 'v' ? '<nil>' : bad()
  if (typeof value === 'number') return formatFloat(value, verb) ?? bad()
  if (typeof value === 'bigint') return formatInteger(value, verb) ?? bad()
  if (typeof value === 'string') return formatString(value, verb) ?? bad()
  if (typeof value === 'boolean') return verb.letter === 't' || verb.letter === 'v' ? String(value) : bad()
  if (isList(value)) return `[${value.map(each => formatValue(each, verb)).join(' ')}]`
  return isMap(value) && (verb.letter === 'v' || verb.letter === 's') ? printed(value) : bad()
}

function padded(text: string, value: TemplateValue, { flags, width }: Verb): string {
  const missing = width - Array.from(text).length
  if (missing <= 0) return text
  if (flags.includes('-')) return text + ' '.repeat(missing)
  const isNumber = typeof value === 'number' ? Number.isFinite(value) : typeof value === 'bigint'
  if (!flags.includes('0') || !isNumber) return ' '.repeat(missing) + text
  const sign = /^[-+]/.exec(text)?.[0] ?? ''
  return sign + '0'.repeat(missing) + text.slice(sign.length)
}

/** Formats as Go's `fmt.Sprintf` does. Throws `TemplateError` for widths over 1,000 and precisions over 100. */
export function goSprintf(format: string, args: readonly TemplateValue[]): string {
  let next = 0
  const text = format.replace(VERB, (_, flags: string, width = '', precision: string | undefined, letter: string | undefined) => {
    if (letter === undefined) return '%!(NOVERB)'
    if (letter === '%') return '%'
    const verb: Verb = { flags, width: Number(width), precision: precision === undefined ? null : Number(precision), letter }
    if (verb.width > MAX_WIDTH) throw new TemplateError(`a width of printf must not exceed ${MAX_WIDTH} (got ${width})`)
    if ((verb.precision ?? 0) > MAX_PRECISION)
      throw new TemplateError(`a precision of printf must not exceed ${MAX_PRECISION} (got ${precision})`)
    if (next >= args.length) return `%!${letter}(MISSING)`
    const value = args[next++]!
    return padded(formatValue(value, verb), value, verb)
  })
  if (next >= args.length) return text
  const extra = args.slice(next).map(value => (value === null ? '<nil>' : `${typeName(value)}=${printed(value)}`))
  return `${text}%!(EXTRA ${extra.join(', ')})`
}
