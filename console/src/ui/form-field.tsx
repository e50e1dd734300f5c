import { type ReactNode, useId } from 'react'
import { isFaultOf } from '../api/errors.js'
import { FormError } from './form.js'
import styles from './form.module.css'

/** What connects an input with its label, its hint and its rejection. */
export interface FieldProps {
  readonly id: string
  readonly name: string
  readonly 'aria-invalid': boolean
  readonly 'aria-describedby': string | undefined
}

/** A field of a form with a hint, and below it why the request was rejected when its value is the reason. */
export function FormField(props: {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** Of the request. */
  readonly error: Error | null
  /** The input. */
  readonly children: (field: FieldProps) => ReactNode
}): React.JSX.Element {
  const { name, label, hint, error, children } = props
  const id = useId()
  const fault = isFaultOf(error, name) ? error : null
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(fault ? [`${id}-fault`] : [])]
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, name, 'aria-invalid': fault !== null, 'aria-describedby': described.join(' ') || undefined })}
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      <FormError error={fault} id={`${id}-fault`} />
    </div>
  )
}
