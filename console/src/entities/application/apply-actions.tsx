import { machines } from '@busbar/contract'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { MenuItem, MenuLine } from '../../shared/ui/menu/menu.tsx'
import type { Machine as ListedMachine } from '../machine/machine.ts'
import { openApply } from './apply-wish.ts'

const { limitAuthority } = machines

/** A machine of the list: the caller's role and application. */
type Machine = Pick<
  ListedMachine,
  'id' | 'name' | 'checkType' | 'level' | 'role' | 'readOnly' | 'application'
>

/** The rights that the caller may apply for; none while an application of that kind is open. */
function wishesOf(machine: Machine): ('visit' | 'rw' | 'bind')[] {
  const { level, readOnly, application } = machine
  if (level >= limitAuthority.bkey || machine.role === 'blacklisted') return []
  const waits = application?.kind
  return [
    ...(level === limitAuthority.ordinary && waits !== 'visit' ? (['visit'] as const) : []),
    ...(level === limitAuthority.visitor && readOnly && waits !== 'visit' ? (['rw'] as const) : []),
    ...(waits !== 'bind' ? (['bind'] as const) : []),
  ]
}

function open(machine: Machine, wish: 'visit' | 'rw' | 'bind'): void {
  openApply(machine, wish === 'rw' ? { kind: 'visit', onlyRw: true } : { kind: wish })
}

/** The most useful application as a button beside the open machine: for access first, then for read-write. */
export function ApplyButton({ machine }: { machine: Machine }) {
  const t = useText().applications.apply
  const [wish] = wishesOf(machine)
  if (wish === undefined || wish === 'bind') return null
  return (
    <Button kind={wish === 'visit' ? 'primary' : 'default'} onClick={() => open(machine, wish)}>
      {t[wish]}
    </Button>
  )
}

/** The same in the menu of a row or card, below its other items. */
export function ApplyMenuItems({ machine }: { machine: Machine }) {
  const t = useText().applications.apply
  const wishes = wishesOf(machine)
  if (wishes.length === 0) return null
  return (
    <>
      <MenuLine />
      {wishes.map((wish) => (
        <MenuItem key={wish} icon={wish === 'bind' ? 'key' : 'signIn'} onAction={() => open(machine, wish)}>
          {t[wish]}
        </MenuItem>
      ))}
    </>
  )
}
