import { useInstantFormat } from '../app/use-instant-format.js'

/** A time in the zone of the page; its title has the full nanoseconds, the zone and UTC. */
export function Instant({ value }: { readonly value: string }): React.JSX.Element {
  const format = useInstantFormat()
  return (
    <time dateTime={value} title={`${format.full(value)} ${format.zoneName}; ${value}`}>
      {format.time(value)}
    </time>
  )
}
