import type { ComponentProps } from 'react'
import type { Role } from '../api/generated/Session.js'
import type { Button } from '../ui/button.js'
import { RefusableButton } from '../ui/refusable-button.js'
import { useRoleRefusal } from './role.js'

/** A button for those with a role. For others it is disabled and states which role it requires. */
export function RoleButton({ needs, ...props }: ComponentProps<typeof Button> & { readonly needs: Role }): React.JSX.Element {
  return <RefusableButton {...props} refusal={useRoleRefusal(needs)} />
}
