import { Link } from '@tanstack/react-router'
import { useSessionState } from '../session/context.js'
import { Empty } from '../ui/states.js'
import { useViewer } from './use-viewer.js'

/** One page for namespaces that do not exist and for those of others, so that it discloses nothing about them. */
export function NoAccessPage({ namespace }: { readonly namespace: string }): React.JSX.Element {
  const state = useSessionState()
  const own = state.status === 'signed-in' || state.status === 'expired' ? state.namespace : namespace
  return (
    <main id="content">
      <Empty title={`You are not a member of a namespace “${namespace}”`}>
        <p>Request an invitation from an admin of that namespace, or check the address.</p>
        {own !== namespace && <OwnNamespaces active={own} />}
      </Empty>
    </main>
  )
}

function OwnNamespaces({ active }: { readonly active: string }): React.JSX.Element | null {
  const { data } = useViewer(active)
  if (!data) return null
  return (
    <>
      <p>Your namespaces:</p>
      <ul>
        {data.viewer.memberships.map(({ namespace }) => (
          <li key={namespace.id}>
            <Link to="/n/$namespace/logs" params={{ namespace: namespace.name }}>
              {namespace.name}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
