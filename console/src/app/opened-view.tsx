import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SavedViewDocument } from '../api/generated/SavedView.js'
import { useRequest } from '../api/use-request.js'
import { Button } from '../ui/button.js'
import { Empty, Failed, Loading } from '../ui/states.js'
import { Redirect } from '../url/redirect.js'
import { searchOf, signalOfPath, VIEW_KEY } from '../url/saved-state.js'
import { one, stringifySearch } from '../url/search-codec.js'
import { useAddress, useNamespace } from '../url/use-address.js'

/** Replaces an address that names a saved view by the one that the view keeps; shows the page at any other address. */
export function OpenedView({ children }: { readonly children: ReactNode }): ReactNode {
  const { search } = useAddress()
  const id = one(search, VIEW_KEY)
  const hasViews = useLocation({ select: ({ pathname }) => signalOfPath(pathname) !== null })
  return id !== null && hasViews ? <ViewOf id={id} /> : children
}

function ViewOf({ id }: { readonly id: string }): React.JSX.Element {
  const namespace = useNamespace()
  const { change } = useAddress()
  const page = useLocation({ select: ({ pathname }) => pathname.split('/').findLast(Boolean)! })
  const { data, error, refetch } = useRequest(SavedViewDocument, { id }, { namespace })
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading what="the view" />
  if (data.savedView)
    return <Redirect to={`/n/${encodeURIComponent(namespace)}/${page}${stringifySearch(searchOf(data.savedView.state))}`} />
  return (
    <Empty title="This view is not stored">
      <p>It was deleted, or it belongs to another namespace.</p>
      <Button onClick={() => change({ [VIEW_KEY]: null }, { replace: true })}>Show the page without it</Button>
    </Empty>
  )
}
