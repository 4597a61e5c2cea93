import {
  cloneElement,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useState,
} from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import type { IconName } from '../icon-paths.ts'
import { Floating } from '../kit/floating.tsx'
import option from '../kit/option.module.css'
import type { Placement } from '../kit/place-beside.ts'
import { focusUnderMouse, useLineKeys } from '../kit/use-line-keys.ts'
import { Text } from '../layout/layout.tsx'
import css from './menu.module.css'
import { useLongPress } from './use-long-press.ts'

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
        'aria-haspopup': 'menu',
        'aria-expanded': opened !== undefined,
      } as object)}
      {opened && (
        <MenuPanel label={label} {...opened} placement={placement} onClose={() => setOpened(undefined)}>
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

/** Closes the menu around an item, before the item does its work. */
const CloseMenu = createContext(() => {})

interface MenuPanelProps extends Required<MenuAtProps> {
  /** The line with the first focus. */
  first: 'first' | 'last'
}

function MenuPanel({ first, children, ...panel }: MenuPanelProps) {
  const keys = useLineKeys(first)
  return (
    <Floating {...panel} {...keys} role="menu" className={css.menu}>
      {(close) => <CloseMenu value={close}>{children}</CloseMenu>}
    </Floating>
  )
}

interface MenuItemProps {
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
  onAction?: () => void
  children: ReactNode
}

interface Choosing {
  readonly value: string | undefined
  readonly choose: (id: string | undefined) => void
}

/** The part of the menu in which one line is chosen. */
const Choosing = createContext<Choosing | undefined>(undefined)

/** An action, a choice, or an address. */
export function MenuItem(props: MenuItemProps) {
  const { icon, drawing, danger = false, disabled = false, hint, href, id, children, onAction } = props
  const close = useContext(CloseMenu)
  const choosing = useContext(Choosing)
  const isChosen = choosing && choosing.value === id
  const line = {
    tabIndex: -1,
    className: classes(option.option, danger && option.danger),
    'aria-disabled': disabled || undefined,
    onClick() {
      if (disabled) return
      close()
      choosing?.choose(id)
      onAction?.()
    },
    onPointerMove: focusUnderMouse,
  }
  const content = (
    <>
      {icon ? <Icon name={icon} /> : drawing}
      <span className={option.words} data-words>
        {children}
      </span>
      {hint && (
        <Text fixed tone="quiet" size={12} cut numbers className={option.hint}>
          {hint}
        </Text>
      )}
      {choosing && <span className={option.check}>{isChosen && <Icon name="check" size={14} />}</span>}
    </>
  )
  if (href !== undefined)
    return (
      <a {...line} role="menuitem" href={href} target="_blank" rel="noopener">
        {content}
      </a>
    )
  return choosing ? (
    <button {...line} type="button" role="menuitemradio" aria-checked={isChosen}>
      {content}
    </button>
  ) : (
    <button {...line} type="button" role="menuitem">
      {content}
    </button>
  )
}

interface MenuChoicesProps<T extends string> {
  label: string
  /** Whether its name stands above it. */
  isLabelShown?: boolean
  value: T | undefined
  onChange: (value: T) => void
  /** `MenuItem`s with an `id` each. */
  children: ReactNode
}

/** A part of a menu of which one line is chosen. */
export function MenuChoices<T extends string>(props: MenuChoicesProps<T>) {
  const { label, isLabelShown = false, value, onChange, children } = props
  const choose = (id: string | undefined) => id !== undefined && id !== value && onChange(id as T)
  return (
    <Choosing value={{ value, choose }}>
      {/* biome-ignore lint/a11y/useSemanticElements: a menu has no fieldsets */}
      <div role="group" aria-label={label}>
        {isLabelShown && (
          <div aria-hidden className={option.group}>
            {label}
          </div>
        )}
        {children}
      </div>
    </Choosing>
  )
}

/** A hairline between the parts of a menu. */
export function MenuLine() {
  return <hr className={option.line} />
}
