import { visibleText } from '../format/visible-text.js'
import { COMPARISONS } from '../url/comparison.js'
import { one } from '../url/search-codec.js'
import { useAddress } from '../url/use-address.js'
import { SelectField } from './select-field.js'

/** Chooses the window that is drawn as a grey line. */
export function CompareSelect(): React.JSX.Element {
  const { search, change } = useAddress()
  const value = one(search, 'cmp') ?? ''
  const own = COMPARISONS.some(([key]) => key === value) || value === '' ? [] : [[value, visibleText(value)] as const]
  return (
    <SelectField
      label="Compare with"
      value={value}
      values={[['', 'nothing'], ...COMPARISONS, ...own]}
      onChoose={cmp => change({ cmp })}
    />
  )
}
