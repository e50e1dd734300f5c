import type { ExceptionState } from '../api/generated/ErrorGroup.js'
import { DecideExceptionDocument, type ExceptionDecision } from '../api/generated/ServicePage.js'
import { useSend } from '../api/use-send.js'
import { RoleButton } from '../app/role-button.js'
import { Failed } from '../ui/states.js'
import { useNamespace } from '../url/use-address.js'
import styles from './page.module.css'

const NAMES: Readonly<Record<ExceptionDecision, string>> = { RESOLVED: 'Resolve', IGNORED: 'Ignore', OPEN: 'Reopen' }

/** What can be decided about a group in each state. */
const DECISIONS: Readonly<Record<ExceptionState, readonly ExceptionDecision[]>> = {
  OPEN: ['RESOLVED', 'IGNORED'],
  REGRESSED: ['RESOLVED', 'IGNORED'],
  RESOLVED: ['OPEN', 'IGNORED'],
  IGNORED: ['OPEN', 'RESOLVED']
}

/** Buttons that change the state of a group, for members. */
export function Decisions({ id, state }: { readonly id: string; readonly state: ExceptionState }): React.JSX.Element {
  const namespace = useNamespace()
  const { mutate, isPending, error, reset } = useSend(DecideExceptionDocument, namespace)
  return (
    <>
      <div className={styles.decisions}>
        {DECISIONS[state].map(decision => (
          <RoleButton key={decision} needs="MEMBER" disabled={isPending} onClick={() => mutate({ id, state: decision })}>
            {NAMES[decision]}
          </RoleButton>
        ))}
      </div>
      {error && <Failed error={error} onRetry={reset} />}
    </>
  )
}
