import {
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useState,
} from 'react'
import { lazyPart } from '../lazy-part.tsx'
import {
  type MenuChoicesProps,
  type MenuItemProps,
  menuParts,
  type Placement,
  type SubmenuProps,
} from './menu-parts.ts'
import { useLongPress } from './use-long-press.ts'

/** The open panel; loaded with the library when a menu is about to be opened. */
const MenuPanel = lazyPart(() => import('./menu-panel.tsx').then((module) => module.MenuPanel), 'dialog')

/** Loads the files of menus before one is opened. */
export const preloadMenus = MenuPanel.preload

/** The properties of a button that a menu or a popover gives to its trigger. */
export type TriggerElement = ReactElement<{
  onClick?: (event: MouseEvent<HTMLElement>) => void
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
}>

interface MenuProps {
  /** Its name for screen readers. */
  label: string
  /** The button that opens it. */
  trigger: TriggerElement
  /** `MenuItem`s and their like. */
  children: ReactNode
  placement?: Placement
  /** Opens at a long press or by Alt ↓; a short press stays the button's own. */
  longPress?: boolean
}

/** Actions behind a button. Arrow keys move, letters jump to an action, Esc closes and returns the focus. */
export function Menu({ label, trigger, children, placement = 'bottom start', longPress = false }: MenuProps) {
  const [opened, setOpened] = useState<{ opener: HTMLElement; first: 'first' | 'last' }>()
  const hold = useLongPress((opener) => setOpened({ opener, first: 'first' }))
  const press = {
    onClick: (event: MouseEvent<HTMLElement>) => setOpened({ opener: event.currentTarget, first: 'first' }),
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    trigger.props.onKeyDown?.(event)
    const first = ({ ArrowDown: 'first', ArrowUp: 'last' } as const)[event.key]
    if (!first || event.defaultPrevented || (longPress && !event.altKey)) return
    event.preventDefault()
    setOpened({ opener: event.currentTarget, first })
  }

  return (
    <>
      {cloneElement(trigger, {
        ...(longPress ? hold : press),
        onKeyDown,
        onPointerEnter: preloadMenus,
        onFocus: preloadMenus,
        'aria-haspopup': 'menu',
        'aria-expanded': opened !== undefined,
      } as object)}
      {opened && (
        <MenuPanel
          label={label}
          opener={opened.opener}
          first={opened.first}
          placement={placement}
          onClose={() => setOpened(undefined)}
        >
          {children}
        </MenuPanel>
      )}
    </>
  )
}

interface MenuAtProps {
  label: string
  /** The element it stands at; the focus returns there. */
  opener: HTMLElement
  onClose: () => void
  children: ReactNode
  placement?: Placement
}

/** A menu that is open, at any element: one for thousands of rows. */
export function MenuAt({ placement = 'bottom end', ...props }: MenuAtProps) {
  return <MenuPanel {...props} first="first" placement={placement} />
}

/** An action, a choice, or an address. */
export function MenuItem(props: MenuItemProps) {
  const { Item } = menuParts()
  return <Item {...props} />
}

/** A part of a menu of which one line is chosen. */
export function MenuChoices<T extends string>({ onChange, ...props }: MenuChoicesProps<T>) {
  const { Choices } = menuParts()
  return <Choices {...props} onChange={(value) => onChange(value as T)} />
}

/** A line that opens a further menu beside it. */
export function Submenu(props: SubmenuProps) {
  const { Sub } = menuParts()
  return <Sub {...props} />
}

/** A hairline between the parts of a menu. */
export function MenuLine() {
  const { Line } = menuParts()
  return <Line />
}
