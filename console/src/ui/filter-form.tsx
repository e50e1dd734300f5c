import { type FormEvent, useEffect, useId, useRef } from 'react'
import { Button } from './button.js'
import styles from './filter-form.module.css'

/** A search for a part of a name; Enter or the button applies it. An emptied box removes the filter. */
export function FilterForm(props: {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly onSubmit: (value: string) => void
}): React.JSX.Element {
  const { label, value, placeholder, onSubmit } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Back and Forward change the address without typing.
    if (input.current) input.current.value = value
  }, [value])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSubmit(input.current!.value.trim())
  }
  return (
    <search>
      <form className={styles.form} onSubmit={submit}>
        <input
          ref={input}
          id={id}
          type="search"
          aria-label={label}
          placeholder={placeholder}
          defaultValue={value}
          maxLength={1_024}
          spellCheck={false}
          autoComplete="off"
        />
        <Button type="submit">Search</Button>
      </form>
    </search>
  )
}
