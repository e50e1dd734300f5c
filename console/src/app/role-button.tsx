import { type ComponentProps, useId } from 'react'
import type { Role } from '../api/generated/Session.js'
import { Button } from '../ui/button.js'
import { useRoleRefusal } from './role.js'

/**
 * A button for those with a role. For others it is disabled and states which role it requires; it keeps its place in the
 * tab order, so that the reason can be reached by keyboard.
 */
export function RoleButton({ needs, ...props }: ComponentProps<typeof Button> & { readonly needs: Role }): React.JSX.Element {
  const id = useId()
  const refusal = useRoleRefusal(needs)
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
