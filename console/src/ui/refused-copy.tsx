import { useId } from 'react'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import forms from './form.module.css'

/** Shows a value that the browser refused to copy, to be copied by hand. */
export function RefusedCopy(props: {
  /** Name of the dialog: what was to be copied. */
  readonly label: string
  /** Name of the field with the value. */
  readonly field: string
  readonly value: string
  readonly onClose: () => void
}): React.JSX.Element {
  const id = useId()
  const { label, field, value, onClose } = props
  return (
    <Dialog label={label} onClose={onClose}>
      <h2>{label}</h2>
      <p>The browser refused to copy. Select the text and copy it with the keyboard.</p>
      <div className={forms.field}>
        <label htmlFor={id}>{field}</label>
        <textarea
          id={id}
          readOnly
          rows={4}
          cols={64}
          value={value}
          spellCheck={false}
          onFocus={event => event.currentTarget.select()}
        />
      </div>
      <Button onClick={onClose}>Close</Button>
    </Dialog>
  )
}
