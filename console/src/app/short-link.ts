import type { Api } from '../api/request.js'
import { SaveViewDocument } from '../api/generated/SavedViews.js'
import { signalOfPath, VIEW_KEY } from '../url/saved-state.js'
import type { SearchValues } from '../url/search-codec.js'

/**
 * The query string of a link to a view without a name, which keeps a longer one; `values` themselves when the page has no
 * views or the role of the user does not allow to save one.
 */
export async function shortened(api: Api, namespace: string, pathname: string, values: SearchValues): Promise<SearchValues> {
  const signal = signalOfPath(pathname)
  if (signal === null) return values
  try {
    const { saveView } = await api.request(SaveViewDocument, { input: { signal, state: { ...values } } }, { namespace })
    return saveView.savedView ? { [VIEW_KEY]: saveView.savedView.id } : values
  } catch {
    // A long link is better than none.
    return values
  }
}
