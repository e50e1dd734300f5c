import { useAddress } from '../url/use-address.js'

/** Steps of the address. */
export const STEPS: readonly string[] = ['1s', '5s', '15s', '30s', '1m', '5m', '15m', '1h', '6h', '1d']
const AUTOMATIC = ''

/** Chooses the distance between two points of the chart. */
export function StepSelect({ step }: { readonly step: string | null }): React.JSX.Element {
  const { change } = useAddress()
  return (
    <label>
      Step{' '}
      <select value={step ?? AUTOMATIC} onChange={event => change({ step: event.currentTarget.value })}>
        <option value={AUTOMATIC}>automatic</option>
        {STEPS.map(value => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  )
}
