import { machines } from '@busbar/contract'
import { useEffect } from 'react'
import { ApplyMenuItems } from '../../entities/application/apply-actions.tsx'
import { openAgentLog, openCheck } from '../../entities/machine/device-dialog.ts'
import type { Machine } from '../../entities/machine/machine.ts'
import { useStore } from '../../shared/api/store.ts'
import { useText } from '../../shared/i18n/index.ts'
import { IconButton } from '../../shared/ui/button.tsx'
import { Menu, MenuAt, MenuItem, MenuLine } from '../../shared/ui/menu/menu.tsx'
import { useListSearch } from './list-search.ts'
import { type MachineAct, openedAct, openedMenu } from './machine-acts.ts'

interface MenuItemsProps {
  machine: Machine
}

/** The actions on a machine besides entering it, by the person's role. */
function MachineMenuItems({ machine }: MenuItemsProps) {
  const t = useText().machineEdit.menu
  return (
    <>
      <MenuItem icon="search" onAction={() => openCheck(machine)}>
        {t.check}
      </MenuItem>
      {machine.level >= machines.limitAuthority.bkey && (
        <MenuItem icon="list" onAction={() => openAgentLog(machine)}>
          {t.agentLog}
        </MenuItem>
      )}
      {machine.enterprise ? <EnterpriseMenuItems machine={machine} /> : <OwnMenuItems machine={machine} />}
    </>
  )
}

/** An enterprise's notes of a device, its transfer and removal are in its settings. */
function EnterpriseMenuItems({ machine }: MenuItemsProps) {
  const t = useText().enterprises.devices
  const [, updateSearch] = useListSearch()
  return (
    <MenuItem icon="edit" onAction={() => updateSearch({ machine: machine.id, tab: 'settings' })}>
      {t.settings}
    </MenuItem>
  )
}

function OwnMenuItems({ machine }: MenuItemsProps) {
  const t = useText().machineEdit.menu
  const isAkey = machine.level === machines.limitAuthority.akey
  const act = (kind: Exclude<MachineAct['kind'], 'manageGroups'>) => () => openedAct.set({ kind, machine })
  return (
    <>
      <MenuItem icon="edit" onAction={act('edit')}>
        {t.edit}
      </MenuItem>
      <MenuItem icon="group" onAction={act('groups')}>
        {t.groups}
      </MenuItem>
      {isAkey && (
        <MenuItem icon="transfer" onAction={act('transfer')}>
          {t.transfer}
        </MenuItem>
      )}
      <ApplyMenuItems machine={machine} />
      <MenuLine />
      <MenuItem icon="trash" danger onAction={act('remove')}>
        {isAkey ? t.removeAkey : t.remove}
      </MenuItem>
    </>
  )
}

/** The menu in the pane of a machine. */
export function PaneMenu({ machine }: { machine: Machine }) {
  const t = useText().machineEdit.menu
  return (
    <Menu
      label={t.label(machine.name)}
      trigger={<IconButton icon="more" bordered label={t.label(machine.name)} />}
    >
      <MachineMenuItems machine={machine} />
    </Menu>
  )
}

/** The menu of the row or card that opens it: one for thousands. */
export function ListMenu() {
  const opened = useStore(openedMenu)
  const t = useText().machineEdit.menu
  useEffect(() => () => openedMenu.set(undefined), [])
  if (!opened) return null
  return (
    <MenuAt
      key={opened.machine.id}
      label={t.label(opened.machine.name)}
      opener={opened.opener}
      onClose={() => openedMenu.set(undefined)}
    >
      <MachineMenuItems machine={opened.machine} />
    </MenuAt>
  )
}
