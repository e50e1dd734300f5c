import type { Role } from '../api/generated/Session.js'
import { ROLE_MEANING } from '../app/role.js'
import forms from '../ui/form.module.css'

const ROLES: readonly Role[] = ['VIEWER', 'MEMBER', 'ADMIN']

/** Chooses a role, as the form value `role`. */
export function RoleSelect(props: { readonly initial: Role; readonly isDisabled?: boolean }): React.JSX.Element {
  return (
    <label className={forms.field}>
      Role
      <select name="role" defaultValue={props.initial} disabled={props.isDisabled}>
        {ROLES.map(role => (
          <option key={role} value={role}>
            {role.toLowerCase()}: {ROLE_MEANING[role]}
          </option>
        ))}
      </select>
    </label>
  )
}
