import { type FormEvent, useEffect, useId, useRef } from 'react'
import { Button } from '../ui/button.js'
import { SelectField } from '../ui/select-field.js'
import { useAddress } from '../url/use-address.js'
import { MEASURE_FUNCTIONS, type MeasureChoice } from './measure-choice.js'
import styles from './measures.module.css'

/** The name of a field, with those of the records of the window to choose from. */
function FieldInput(props: {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly options: readonly string[]
}): React.JSX.Element {
  const { label, name, value, options } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Back and Forward change the address without typing.
    if (input.current) input.current.value = value
  }, [value])
  return (
    <label className={styles.field}>
      {label}
      <input
        ref={input}
        name={name}
        defaultValue={value}
        list={id}
        maxLength={256}
        placeholder="none"
        spellCheck={false}
        autoComplete="off"
      />
      <datalist id={id}>
        {options.map(option => (
          <option key={option}>{option}</option>
        ))}
      </datalist>
    </label>
  )
}

/** Chooses function, field and grouping, which are in the address. */
export function MeasureForm(props: {
  readonly choice: MeasureChoice
  /** Names of fields to choose from. */
  readonly fields: readonly string[]
}): React.JSX.Element {
  const { choice, fields } = props
  const { change } = useAddress()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const entered = new FormData(event.currentTarget)
    const text = (name: string): string => (entered.get(name) as string).trim()
    change({ field: text('field'), by: text('by') })
  }
  return (
    <form className={styles.form} aria-label="Measure" onSubmit={submit}>
      <SelectField
        label="Function"
        value={choice.fn}
        values={MEASURE_FUNCTIONS}
        onChoose={fn => change({ fn: fn === 'count' ? null : fn })}
      />
      <FieldInput label="Field" name="field" value={choice.field ?? ''} options={fields} />
      <FieldInput label="Group by" name="by" value={choice.groupBy ?? ''} options={fields} />
      <Button type="submit">Measure</Button>
    </form>
  )
}
