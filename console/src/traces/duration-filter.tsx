import { type FormEvent, useRef } from 'react'
import { parseDurationText } from '../format/duration-text.js'
import { Button } from '../ui/button.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import styles from './page.module.css'

const HINT = 'a duration such as 250ms, 1.5s or 2m'

/** Shortest and longest duration, of traces or of spans. */
export function DurationFilter(): React.JSX.Element {
  const { search, change } = useAddress()
  const form = useRef<HTMLFormElement>(null)
  const [min, max] = [one(search, 'min') ?? '', one(search, 'max') ?? '']
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const data = new FormData(form.current!)
    const text = (name: string): string => {
      const value = data.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    change({ min: text('min'), max: text('max') })
  }
  const check = (event: FormEvent<HTMLInputElement>): void => {
    const { value } = event.currentTarget
    event.currentTarget.setCustomValidity(value === '' || parseDurationText(value) !== null ? '' : `Enter ${HINT}`)
  }
  return (
    // The key replaces typed text when Back or a selection in the histogram changes the address.
    <form key={`${min} ${max}`} ref={form} className={styles.durations} aria-label="Duration" onSubmit={submit}>
      <label>
        Duration of
        <select
          value={one(search, 'scope') === 'span' ? 'span' : 'trace'}
          onChange={event => change({ scope: event.target.value === 'span' ? 'span' : null })}
        >
          <option value="trace">whole traces</option>
          <option value="span">spans</option>
        </select>
      </label>
      <div className={styles.bounds}>
        <input name="min" aria-label="Shortest duration" placeholder="≥ 50ms" title={HINT} defaultValue={min} onInput={check} />
        <input name="max" aria-label="Longest duration" placeholder="≤ 2s" title={HINT} defaultValue={max} onInput={check} />
        <Button type="submit">Apply</Button>
      </div>
    </form>
  )
}
