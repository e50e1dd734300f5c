import { type ComponentProps, useId } from 'react'
import { Button } from './button.js'

/**
 * A button that may have a reason not to work. It is disabled then and states the reason; it keeps its place in the tab order,
 * so that the reason can be reached by keyboard.
 */
export function RefusableButton({
  refusal,
  ...props
}: ComponentProps<typeof Button> & { readonly refusal: string | null }): React.JSX.Element {
  const id = useId()
  if (refusal === null) return <Button {...props} />
  return (
    <>
      <Button
        {...props}
        type="button"
        aria-disabled
        aria-describedby={id}
        title={refusal}
        onClick={event => event.preventDefault()}
      />
      <span id={id} className="visually-hidden">
        {refusal}
      </span>
    </>
  )
}
