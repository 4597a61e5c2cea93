import type { ComponentType } from 'react'
import type { MenuChoicesProps, MenuItemProps, SubmenuProps } from './menu.tsx'

/** On which side of its button a panel opens where there is room, and with which of their edges in line. */
export type Placement = 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right top' | 'right bottom'

/** The lines of a menu as they are drawn, which come with the library. */
interface MenuParts {
  readonly Item: ComponentType<MenuItemProps>
  readonly Choices: ComponentType<MenuChoicesProps<string>>
  readonly Sub: ComponentType<SubmenuProps>
  readonly Line: ComponentType
}

let parts: MenuParts | undefined

/** What a menu's lines are drawn by. They are only drawn in a panel, so that its file is there. */
export function menuParts(): MenuParts {
  if (!parts) throw new Error('a line of a menu is drawn outside of one')
  return parts
}

/** Gives the lines to every menu; called by the panel's file when it is loaded. */
export function provideMenuParts(loaded: MenuParts): void {
  parts = loaded
}
