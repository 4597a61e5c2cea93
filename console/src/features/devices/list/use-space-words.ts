import { useText } from '../../../shared/i18n/index.ts'
import { useDeviceSpace } from '../space.ts'

/** The title of a list, and the label of its button. */
export function useSpaceWords(): { readonly title: string; readonly add: string } {
  const { machines, enterprises } = useText()
  const t = enterprises.devices
  const { kind } = useDeviceSpace()
  if (kind === 'owned') return { title: t.owned, add: t.add }
  return kind === 'maintained'
    ? { title: t.maintained, add: t.ask }
    : { title: machines.title, add: machines.add }
}
