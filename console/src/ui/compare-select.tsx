import { visibleText } from '../format/visible-text.js'
import { COMPARISONS } from '../url/comparison.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { SelectField } from './select-field.js'

/** Chooses the window that the page is compared with. `otherwise` is used when the address names none; absent: nothing is. */
export function CompareSelect({ otherwise = '' }: { readonly otherwise?: string }): React.JSX.Element {
  const { search, change } = useAddress()
  const value = one(search, 'cmp') ?? otherwise
  const own = COMPARISONS.some(([key]) => key === value) || value === '' ? [] : [[value, visibleText(value)] as const]
  return (
    <SelectField
      label="Compare with"
      value={value}
      values={[...(otherwise === '' ? [['', 'nothing'] as const] : []), ...COMPARISONS, ...own]}
      onChoose={cmp => change({ cmp })}
    />
  )
}
