import type { AnswerOf, brands } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLang } from '../../i18n/index.ts'
import { Icon } from '../../ui/icon.tsx'
import css from './machine-icon.module.css'
import { iconsQuery } from './machine-queries.ts'

type Icons = AnswerOf<typeof brands.listIcons>
type MachineIcon = Icons['default']

/** Which machine a picture or a word is wanted for. */
interface Pictured {
  readonly machine_type: string
  readonly machine_code: string
}

const patterns = new WeakMap<MachineIcon, RegExp | null>()

function matchesCode(icon: MachineIcon, code: string): boolean {
  if (!icon.pattern) return true
  let pattern = patterns.get(icon)
  if (pattern === undefined) {
    try {
      pattern = new RegExp(icon.pattern)
    } catch {
      // A pattern written elsewhere that is none fits no machine.
      pattern = null
    }
    patterns.set(icon, pattern)
  }
  return pattern?.test(code) ?? false
}

/** What a machine's type is called and looks like. */
export interface MachineTypes {
  /** SVG path data in a 24 × 24 box; empty until the pictures are here. */
  path(machine: Pictured): string
  /** The word in the language spoken, the type itself where there is none. */
  name(machine: Pictured): string
}

/** The types, asked for once where a list begins and handed down: a query in each of its rows would cost more than the row. */
export function useMachineTypes(): MachineTypes {
  const lang = useLang()
  const { data: icons } = useQuery(iconsQuery)
  return useMemo(
    () => ({
      path: (machine) =>
        (
          icons?.items.find(
            (icon) => icon.type === machine.machine_type && matchesCode(icon, machine.machine_code),
          ) ?? icons?.default
        )?.image ?? '',
      name: (machine) =>
        (
          icons?.items.find((icon) => icon.type === machine.machine_type) ??
          [icons?.default].find((icon) => icon?.type === machine.machine_type)
        )?.name[lang] ?? machine.machine_type,
    }),
    [icons, lang],
  )
}

/** The sign of a machine's type, in the box that a row has for it. */
export function MachineIconBox({ path }: { path: string }) {
  return (
    <span className={css.box}>
      <Icon path={path} size={16} />
    </span>
  )
}
