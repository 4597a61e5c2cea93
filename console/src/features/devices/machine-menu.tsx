import { machines } from '@busbar/contract'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { ApplyMenuItems } from '../../entities/application/apply-actions.tsx'
import type { Machine } from '../../entities/machine/machine-order.ts'
import { useStore } from '../../shared/api/store.ts'
import { useText } from '../../shared/i18n/index.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { MenuItem, MenuLine, Popover } from '../../shared/ui/popover.tsx'
import { type MachineAct, openedAct, openedMenu } from './machine-acts.ts'
import css from './machine-menu.module.css'

/** What can be done to a machine besides entering it, by what one is to it. */
function MachineMenuItems({ machine, close }: { machine: Machine; close: () => void }) {
  const t = useText().machineEdit.menu
  const isAkey = machine.limit_authority === machines.limitAuthority.akey
  const act = (kind: Exclude<MachineAct['kind'], 'manageGroups'>) => () => {
    close()
    openedAct.set({ kind, machine })
  }
  return (
    <>
      <MenuItem icon="edit" onClick={act('edit')}>
        {t.edit}
      </MenuItem>
      <MenuItem icon="group" onClick={act('groups')}>
        {t.groups}
      </MenuItem>
      {isAkey && (
        <MenuItem icon="transfer" onClick={act('transfer')}>
          {t.transfer}
        </MenuItem>
      )}
      <ApplyMenuItems machine={machine} close={close} />
      <MenuLine />
      <MenuItem icon="trash" danger onClick={act('remove')}>
        {isAkey ? t.removeAkey : t.remove}
      </MenuItem>
    </>
  )
}

/** The menu in the pane of a machine. */
export function PaneMenu({ machine }: { machine: Machine }) {
  const t = useText().machineEdit.menu
  return (
    <Popover
      label={t.label(machine.machine_name)}
      trigger={(props) => (
        <IconButton icon="more" bordered label={t.label(machine.machine_name)} {...props} />
      )}
    >
      {(close) => <MachineMenuItems machine={machine} close={close} />}
    </Popover>
  )
}

/** The menu of whichever row or card asks for it: one for thousands, above everything that would cut it off. */
export function ListMenu() {
  const opened = useStore(openedMenu)
  useEffect(() => () => openedMenu.set(undefined), [])
  return opened && <FloatingMenu key={opened.machine.machine_id} {...opened} />
}

const gap = 4
const edge = 8

function FloatingMenu({ machine, opener }: { machine: Machine; opener: HTMLElement }) {
  const t = useText().machineEdit.menu
  const panel = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const menu = panel.current
    if (!menu) return
    menu.showPopover()
    const at = opener.getBoundingClientRect()
    const below = at.bottom + gap + menu.offsetHeight <= window.innerHeight - edge
    menu.style.top = `${below ? at.bottom + gap : Math.max(edge, at.top - gap - menu.offsetHeight)}px`
    menu.style.left = `${Math.max(edge, at.right - menu.offsetWidth)}px`
    menu.querySelector('button')?.focus({ preventScroll: true })
    const closeFrom = (event: Event) => {
      const { target } = event
      // A press on its own button is that button's.
      if (target instanceof Node && (menu.contains(target) || opener.contains(target))) return
      openedMenu.set(undefined)
    }
    document.addEventListener('pointerdown', closeFrom)
    // Its row moves away under it.
    document.addEventListener('scroll', closeFrom, true)
    window.addEventListener('resize', closeFrom)
    return () => {
      document.removeEventListener('pointerdown', closeFrom)
      document.removeEventListener('scroll', closeFrom, true)
      window.removeEventListener('resize', closeFrom)
    }
  }, [opener])

  function close() {
    openedMenu.set(undefined)
    opener.focus({ preventScroll: true })
  }

  function onKey(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      return close()
    }
    const items = [...(panel.current?.querySelectorAll('button') ?? [])]
    const place = items.indexOf(document.activeElement as HTMLButtonElement)
    const places: Readonly<Record<string, number>> = {
      ArrowDown: (place + 1) % items.length,
      ArrowUp: (place - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }
    const next = places[event.key]
    if (next === undefined) return
    event.preventDefault()
    items[next]?.focus()
  }

  return (
    <div
      ref={panel}
      // In the browser's top layer, above whatever would cut it off.
      popover="manual"
      role="menu"
      tabIndex={-1}
      aria-label={t.label(machine.machine_name)}
      className={css.menu}
      onKeyDown={onKey}
    >
      <MachineMenuItems machine={machine} close={close} />
    </div>
  )
}
