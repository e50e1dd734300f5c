import { lazy, Suspense } from 'react'
import { loadCode } from '../app/load-code.js'
import facets from '../query/facet-list.module.css'
import { Button } from '../ui/button.js'
import { Loading } from '../ui/states.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import type { SuggestedFieldsProps } from './suggested-fields.js'

const SuggestedFields = lazy(() => loadCode(async () => ({ default: (await import('./suggested-fields.js')).SuggestedFields })))

/** Facets and ranges of the fields that suit the logs of the search; they are read when they are opened. */
export function MoreFields({ query, Matches }: SuggestedFieldsProps): React.JSX.Element {
  const { search, change } = useAddress()
  const isOpen = one(search, 'fields') === 'more'
  return (
    <div className={facets.more}>
      <Button kind="plain" aria-expanded={isOpen} onClick={() => change({ fields: isOpen ? null : 'more' }, { replace: true })}>
        {isOpen ? 'Fewer fields' : 'More fields'}
      </Button>
      {isOpen && (
        <Suspense fallback={<Loading what="fields" />}>
          <SuggestedFields query={query} Matches={Matches} />
        </Suspense>
      )}
    </div>
  )
}
