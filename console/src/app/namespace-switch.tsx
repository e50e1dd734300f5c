import { useNavigate } from '@tanstack/react-router'
import { Menu, MenuChoices } from '../ui/menu.js'
import { useNamespace } from '../url/use-address.js'
import { useViewer } from './use-viewer.js'

/** Shows the namespace of the page and opens the same user's others. */
export function NamespaceSwitch(): React.JSX.Element {
  const inPath = useNamespace()
  const { data } = useViewer(inPath)
  const navigate = useNavigate()
  const name = data?.viewer.namespace?.name ?? inPath
  const names = data?.viewer.memberships.map(({ namespace }) => namespace.name) ?? [name]
  return (
    <Menu label={`Namespace: ${name}`}>
      <MenuChoices
        label="Namespaces"
        value={name}
        values={names.map(one => [one, one])}
        onChoose={namespace => void navigate({ to: '/n/$namespace/logs', params: { namespace } })}
      />
    </Menu>
  )
}
