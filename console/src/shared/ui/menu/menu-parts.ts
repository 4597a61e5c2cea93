import type { ComponentType, ReactNode } from 'react'
import type { IconName } from '../icon-paths.ts'

/** The side of its button on which a panel opens if there is space, and the edge it is aligned with. */
export type Placement = 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right top' | 'right bottom'

export interface MenuItemProps {
  icon?: IconName
  /** Its own drawing, if the console's set has none. */
  drawing?: ReactNode
  danger?: boolean
  disabled?: boolean
  /** Shown at the end of the line, such as a key. */
  hint?: string | undefined
  /** Leads to an address, in a new tab. */
  href?: string
  /** Its id, if it is a choice. */
  id?: string
  /** The letters that find it, if its content is not a text. */
  textValue?: string
  onAction?: () => void
  children: ReactNode
}

export interface MenuChoicesProps<T extends string> {
  label: string
  /** Whether its name stands above it. */
  isLabelShown?: boolean
  value: T | undefined
  onChange: (value: T) => void
  /** `MenuItem`s with an `id` each. */
  children: ReactNode
}

export interface SubmenuProps {
  icon?: IconName
  label: string
  children: ReactNode
}

/** The lines of a menu as they are drawn, which come with the library. */
interface MenuParts {
  readonly Item: ComponentType<MenuItemProps>
  readonly Choices: ComponentType<MenuChoicesProps<string>>
  readonly Sub: ComponentType<SubmenuProps>
  readonly Line: ComponentType
}

let parts: MenuParts | undefined

/** The parts that draw a menu's lines. Lines are only rendered in a panel, so its file has loaded. */
export function menuParts(): MenuParts {
  if (!parts) throw new Error('a line of a menu is drawn outside of one')
  return parts
}

/** Gives the lines to every menu; called by the panel's file when it is loaded. */
export function provideMenuParts(loaded: MenuParts): void {
  parts = loaded
}
