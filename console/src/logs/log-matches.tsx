import { LogFacetValuesDocument } from '../api/generated/LogFacetValues.js'
import { FacetMatches } from '../query/facet-matches.js'
import type { MatchesProps } from '../query/searched-values.js'
import { withoutField } from '../query/without-field.js'
import { useAddress, useNamespace } from '../url/use-address.js'
import { usePageWindow } from '../url/use-window.js'
import { readLogFilter } from './log-filter.js'

/** The values of a field of logs that contain a text, in the search of the page. */
export function LogMatches(props: MatchesProps): React.JSX.Element {
  const namespace = useNamespace()
  const { search } = useAddress()
  const { choice, window } = usePageWindow()
  return (
    <FacetMatches
      // Another search keeps no values, and a choice of values is not another search.
      key={JSON.stringify([namespace, choice, readLogFilter(withoutField(search, props.field))])}
      {...props}
      document={LogFacetValuesDocument}
      window={window}
      filter={readLogFilter(search)}
      facetOf={({ logs }) => logs?.facets[0]}
    />
  )
}
