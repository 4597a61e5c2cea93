import type { Machine as ListedMachine } from '../../entities/machine/machine.ts'
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

type Machine = Pick<ListedMachine, 'id' | 'name' | 'code' | 'remark'>

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
    holds(`${machine.name} ${machine.remark} ${machine.code}`.toLowerCase()),
  )
  const begins = (machine: Machine) => machine.name.toLowerCase().startsWith(wanted)
  const ordered = wanted ? [...found.filter(begins), ...found.filter((machine) => !begins(machine))] : found
  const foundMachines = ordered.slice(0, machinesShownMax).map(toJump)
  return wanted ? [...foundMachines, ...foundPages] : [...foundPages, ...foundMachines]
}

function toJump({ id, name, code }: Machine): Jump {
  return {
    kind: 'machine',
    key: code,
    icon: 'devices',
    label: name,
    code: code,
    machineId: id,
  }
}
