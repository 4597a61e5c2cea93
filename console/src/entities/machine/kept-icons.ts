import type { AnswerOf, brands } from '@busbar/contract'

/** The map of machine types. */
export type MachineIcons = Extract<AnswerOf<typeof brands.listIcons>, { version: string }>

const key = 'busbar.machineTypes'

/** The map that this browser stored, so that machines are drawn before the platform answers. */
export function readKeptIcons(): MachineIcons | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return isMap(kept) ? kept : undefined
  } catch {
    // A browser without storage reads the map with each page.
    return undefined
  }
}

export function keepIcons(icons: MachineIcons): void {
  try {
    localStorage.setItem(key, JSON.stringify(icons))
  } catch {
    // Without storage the next page reads the map again.
  }
}

/** Validated, because another version of the console or a person may have written it. */
function isMap(kept: unknown): kept is MachineIcons {
  const { version, default: usual, items } = (kept ?? {}) as Partial<Record<keyof MachineIcons, unknown>>
  return (
    typeof version === 'string' &&
    isIcon(usual) &&
    Array.isArray(items) &&
    items.every((item) => isIcon(item))
  )
}

function isIcon(value: unknown): boolean {
  const { type, pattern, image, icon, name } = (value ?? {}) as Record<string, unknown>
  const { cn, en } = (name ?? {}) as Record<string, unknown>
  return [type, pattern, image, icon, cn, en].every((text) => typeof text === 'string')
}
