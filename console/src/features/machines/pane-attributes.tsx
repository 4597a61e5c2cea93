import { useText } from '../../i18n/index.ts'
import type { HeldDetail } from './machine-queries.ts'
import { NetworkMark } from './network-mark.tsx'
import { FactList } from './pane-overview.tsx'

type Attributes = HeldDetail['attributes']

/** Attributes that say how a machine is connected. */
const networkNames = ['network', 'signal', 'operator', 'ip', 'mac', 'gateway', 'hostname', 'iccid', 'imei']

/** Whether a machine said anything of itself. */
export function hasAttributes(attributes: Attributes): boolean {
  return Object.values(attributes).some((value) => value !== '')
}

/** What the machine says of itself, as sent; known names in words. */
export function PaneAttributes({ attributes }: { attributes: Attributes }) {
  const t = useText().machines
  const nameOf = (name: string) => t.attributes.names[name] ?? name
  const network = networkNames.filter((name) => attributes[name])
  const others = Object.keys(attributes)
    .filter((name) => attributes[name] && !networkNames.includes(name))
    .sort()
  return (
    <>
      {network.length > 0 && (
        <FactList
          title={t.attributes.network}
          facts={network.map((name) => [
            nameOf(name),
            name === 'network' ? (
              <NetworkMark key={name} attributes={attributes} />
            ) : (
              <span key={name} className="mono">
                {attributes[name]}
              </span>
            ),
          ])}
        />
      )}
      {others.length > 0 && (
        <FactList
          title={t.attributes.machine}
          facts={others.map((name) => [nameOf(name), <span key={name}>{attributes[name]}</span>])}
        />
      )}
    </>
  )
}
