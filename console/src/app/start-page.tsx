import { useSessionState } from '../session/context.js'
import { Loading } from '../ui/states.js'
import { Redirect } from '../url/redirect.js'

/** `/`: the logs of the active namespace, or the sign-in page. */
export function StartPage(): React.JSX.Element {
  const state = useSessionState()
  if (state.status === 'starting') return <Loading what="the session" />
  if (!('namespace' in state)) return <Redirect to="/login" />
  return <Redirect to={`/n/${encodeURIComponent(state.namespace)}/logs`} />
}
