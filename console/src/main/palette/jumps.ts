import type { machines } from '@busbar/contract'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import type { Feature } from '../shell/features.ts'

/** A place the palette can go to. */
export type Jump =
  | {
      readonly kind: 'page'
      readonly key: string
      readonly icon: IconName
      readonly label: string
      readonly path: Feature['path']
    }
  | {
      readonly kind: 'machine'
      readonly key: string
      readonly icon: IconName
      readonly label: string
      readonly code: string
      readonly machineId: number
    }

type Machine = Pick<machines.MachineItem, 'machine_id' | 'machine_name' | 'machine_code' | 'machine_remark'>

/** More than anybody reads; a few letters more find the rest. */
const machinesShownMax = 12

/**
 * Pages and machines whose name, remark or code holds every word typed. Names that begin with what was typed come
 * first.
 */
export function findJumps(typed: string, pages: readonly Jump[], list: readonly Machine[]): readonly Jump[] {
  const wanted = typed.trim().toLowerCase()
  const words = wanted.split(/\s+/).filter(Boolean)
  const holds = (text: string) => words.every((word) => text.includes(word))
  const foundPages = pages.filter(({ label }) => holds(label.toLowerCase()))
  const found = list.filter((machine) =>
    holds(`${machine.machine_name} ${machine.machine_remark} ${machine.machine_code}`.toLowerCase()),
  )
  const begins = (machine: Machine) => machine.machine_name.toLowerCase().startsWith(wanted)
  const ordered = wanted ? [...found.filter(begins), ...found.filter((machine) => !begins(machine))] : found
  const foundMachines = ordered.slice(0, machinesShownMax).map(toJump)
  return wanted ? [...foundMachines, ...foundPages] : [...foundPages, ...foundMachines]
}

function toJump({ machine_id, machine_name, machine_code }: Machine): Jump {
  return {
    kind: 'machine',
    key: machine_code,
    icon: 'devices',
    label: machine_name,
    code: machine_code,
    machineId: machine_id,
  }
}
