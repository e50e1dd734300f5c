import { TraceFacetValuesDocument } from '../api/generated/TraceFacetValues.js'
import { FacetMatches } from '../query/facet-matches.js'
import type { MatchesProps } from '../query/searched-values.js'
import { withoutField } from '../query/without-field.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { readTraceFilter } from './trace-filter.js'

/** The values of a field of spans that contain a text, in the search of the page. */
export function TraceMatches(props: MatchesProps): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { choice, window } = usePageWindow()
  return (
    <FacetMatches
      // Another search keeps no values, and a choice of values is not another search.
      key={JSON.stringify([namespace, choice, readTraceFilter(withoutField(search, props.field)).filter])}
      {...props}
      document={TraceFacetValuesDocument}
      window={window}
      filter={readTraceFilter(search).filter}
      facetOf={({ traces }) => traces?.facets[0]}
    />
  )
}
