import { type ComponentProps, type FormEvent, type InputEvent, useEffect, useId, useRef } from 'react'
import { formatMeasured } from '../format/measured.js'
import { formatCount, formatShare } from '../format/number.js'
import { visibleText } from '../format/visible-text.js'
import { Button } from '../ui/button.js'
import { fieldValue } from '../ui/field-value.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import styles from './facet-list.module.css'
import { boundsIn, withBounds } from './with-bounds.js'

/** The numbers of one field. */
export interface NumberRange {
  readonly field: string
  readonly numbers: number
  readonly min?: number | null
  readonly max?: number | null
  readonly areExtremesExact: boolean
  readonly p50?: number | null
  readonly p95?: number | null
  /** Null where nothing bounds it. */
  readonly relativeError?: number | null
}

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function validate({ currentTarget }: InputEvent<HTMLInputElement>): void {
  const text = currentTarget.value.trim()
  currentTarget.setCustomValidity(text === '' || NUMBER.test(text) ? '' : 'Write a number such as 250 or 0.5')
}

function text(value: number | null | undefined): string {
  return value == null ? '–' : formatMeasured(value)
}

/** What follows percentiles that may differ from the true ones. */
function errorText(relativeError: number | null | undefined): string {
  if (relativeError == null) return ' (estimated)'
  return relativeError > 0 ? ` (± ${formatShare(relativeError)})` : ''
}

/** A bound that is typed; another value of the address replaces what was. */
function BoundInput({ value, ...props }: ComponentProps<'input'> & { readonly value: string }): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!input.current) return
    input.current.value = value
    input.current.setCustomValidity('')
  }, [value])
  return (
    <input {...props} ref={input} inputMode="decimal" autoComplete="off" maxLength={32} defaultValue={value} onInput={validate} />
  )
}

/** The range of the numbers of a field, and bounds of them as a filter: Enter applies what is written. */
export function RangeGroup({ range }: { readonly range: NumberRange }): React.JSX.Element {
  const { field, numbers, min, max, areExtremesExact, p50, p95, relativeError } = range
  const { search, change } = useAddress()
  const id = useId()
  const query = one(search, 'q') ?? ''
  const bounds = boundsIn(query, field)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    const [from, to] = [fieldValue(values, 'from').trim(), fieldValue(values, 'to').trim()]
    change({ q: withBounds(query, field, { from, to }), sel: null })
  }
  const input = (name: 'from' | 'to', extreme: number | null | undefined): React.JSX.Element => (
    <BoundInput
      name={name}
      aria-label={`${visibleText(field)} ${name}`}
      aria-describedby={id}
      placeholder={text(extreme)}
      value={bounds[name]}
    />
  )
  return (
    <fieldset className={styles.facet} aria-label={field}>
      <legend>{visibleText(field)}</legend>
      <p id={id} className={styles.rest}>
        {!areExtremesExact && 'within '}
        {text(min)} to {text(max)}, median {text(p50)}, p95 {text(p95)}
        {errorText(relativeError)}; {formatCount(numbers)} numbers
      </p>
      <form className={styles.bounds} onSubmit={submit}>
        {input('from', min)} to {input('to', max)}
        <Button type="submit">Apply</Button>
      </form>
    </fieldset>
  )
}
