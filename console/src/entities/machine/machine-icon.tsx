import { findTypeRule } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import css from './machine-icon.module.css'
import { iconsQuery } from './machine-queries.ts'

/** The machine of a picture or a word. */
interface Pictured {
  readonly type: string
  readonly code: string
}

/** The picture of a machine. */
export interface MachineLook {
  /** The address of its picture. */
  readonly image: string
  /** Path data in a 24 × 24 box, of a picture that the platform brings; empty: the picture is an uploaded one. */
  readonly icon: string
}

/** The name and picture of a machine's type. */
export interface MachineTypes {
  /** Undefined until the map has loaded. */
  look(machine: Pictured): MachineLook | undefined
  /** The type's name in the current language, or the type itself; nothing until the names have loaded. */
  name(machine: Pictured): string
}

/** The types, queried once per list and passed down: a query in each of its rows would cost more than the row. */
export function useMachineTypes(): MachineTypes {
  const lang = useLang()
  const { data: icons } = useQuery(iconsQuery)
  return useMemo(() => {
    const find = ({ code, type }: Pictured) =>
      icons && findTypeRule(icons.items, { code: code, type: type })?.rule
    return {
      look: (machine) => find(machine) ?? icons?.default,
      name(machine) {
        const own = icons?.default.type === machine.type ? icons.default : undefined
        return (find(machine) ?? own)?.name[lang] ?? (icons ? machine.type : '')
      },
    }
  }, [icons, lang])
}

/** The sign of a machine's type, in the box that a row has for it. */
export function MachineIconBox({ look }: { look: MachineLook | undefined }) {
  return (
    <span className={css.box}>
      {look?.icon ? (
        <Icon path={look.icon} size={16} />
      ) : (
        look && <img src={look.image} alt="" loading="lazy" />
      )}
    </span>
  )
}
