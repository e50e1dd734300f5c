import { Link, Outlet, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, isCancelled } from '../api/errors.js'
import { useSessionState } from '../session/context.js'
import { SessionDialog } from '../session/session-dialog.js'
import { Failed, Loading } from '../ui/states.js'
import { Redirect } from '../url/redirect.js'
import { stringifySearch } from '../url/search-codec.js'
import { useNamespace } from '../url/use-address.js'
import { FrameKeys } from './frame-keys.js'
import styles from './frame.module.css'
import { NoAccessPage } from './no-access-page.js'
import { Rail } from './rail.js'
import { useViewer } from './use-viewer.js'

/** `/n/{namespace}/*`: the navigation and the page, for members; sign-in and one page for all other namespaces otherwise. */
export function NamespaceFrame(): React.JSX.Element {
  const state = useSessionState()
  if (state.status === 'starting') return <Loading what="the session" />
  if (state.status === 'signed-out') return <ToSignIn />
  return (
    <>
      <Member />
      {state.status === 'expired' && <SessionDialog email={state.user.email} />}
    </>
  )
}

function ToSignIn(): React.JSX.Element {
  const router = useRouter()
  const [requested] = useState(() => router.state.location)
  return <Redirect to={`/login${stringifySearch({ to: requested.pathname + requested.searchStr })}`} />
}

function Member(): React.JSX.Element {
  const namespace = useNamespace()
  const { error, refetch } = useViewer(namespace)
  if (error instanceof ApiError && error.status === 403) return <NoAccessPage namespace={namespace} />
  return (
    <div className={styles.frame}>
      <Link className={styles.skip} to="." hash="content" search={true}>
        Skip to content
      </Link>
      <Rail />
      <FrameKeys />
      {error instanceof ApiError && error.retryAfterMs === null && !isCancelled(error) ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        // Another namespace is another page: nothing of the former one stays.
        <Outlet key={namespace} />
      )}
    </div>
  )
}
