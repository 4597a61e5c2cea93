import { type ReactElement, type ReactNode, useRef } from 'react'
import {
  Header,
  Menu as LibraryMenu,
  MenuItem as LibraryMenuItem,
  MenuSection as LibraryMenuSection,
  MenuTrigger,
  Popover,
  Separator,
  SubmenuTrigger,
} from 'react-aria-components/Menu'
import type { Placement } from 'react-aria-components/Popover'
import { Pressable } from 'react-aria-components/Pressable'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import type { IconName } from '../icon-paths.ts'
import { KitScope } from '../kit/kit-scope.tsx'
import option from '../kit/option.module.css'
import panel from '../kit/panel.module.css'
import css from './menu.module.css'

interface MenuProps {
  /** Its name for screen readers. */
  label: string
  /** The button that opens it: it takes a ref and the properties of a button. */
  trigger: ReactElement<object, string>
  children: ReactNode
  placement?: Placement
  /** Opens on a long press or Alt ↓; a short press stays the button's own. */
  longPress?: boolean
  onOpenChange?: (isOpen: boolean) => void
}

/** Pixels between a menu and its button. */
const gap = 6

/** Actions behind a button. Arrow keys move, letters jump to an action, Esc closes and returns the focus. */
export function Menu(props: MenuProps) {
  const { label, trigger, children, placement = 'bottom start', longPress = false, onOpenChange } = props
  return (
    <KitScope>
      <MenuTrigger trigger={longPress ? 'longPress' : 'press'} onOpenChange={onOpenChange ?? (() => {})}>
        <Pressable>{trigger}</Pressable>
        <Popover className={classes(panel.panel, css.menu)} placement={placement} offset={gap}>
          <LibraryMenu aria-label={label} className={css.list ?? ''}>
            {children}
          </LibraryMenu>
        </Popover>
      </MenuTrigger>
    </KitScope>
  )
}

interface MenuAtProps {
  label: string
  /** What it stands at; the focus returns there. */
  opener: Element
  onClose: () => void
  children: ReactNode
  placement?: Placement
}

/** A menu that is open, at any element: one for thousands of rows. */
export function MenuAt({ label, opener, onClose, children, placement = 'bottom end' }: MenuAtProps) {
  const at = useRef<Element>(opener)
  at.current = opener
  return (
    <KitScope>
      <Popover
        className={classes(panel.panel, css.menu)}
        isOpen
        triggerRef={at}
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement={placement}
        offset={gap}
      >
        <LibraryMenu aria-label={label} className={css.list ?? ''} autoFocus="first" onClose={onClose}>
          {children}
        </LibraryMenu>
      </Popover>
    </KitScope>
  )
}

interface MenuItemProps {
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  /** Said at the end of the line, such as a key. */
  hint?: string
  /** Leads to an address, in a tab of its own. */
  href?: string
  /** Which one it is, where it is a choice. */
  id?: string
  /** By which letters find it, where its content is not a text. */
  textValue?: string
  onAction?: () => void
  children: ReactNode
}

/** An action, a choice, or an address. */
export function MenuItem(props: MenuItemProps) {
  const { icon, danger = false, disabled = false, hint, href, id, onAction, children, textValue } = props
  return (
    <LibraryMenuItem
      {...(id === undefined ? {} : { id })}
      {...(href === undefined ? {} : { href, target: '_blank', rel: 'noopener' })}
      {...(onAction ? { onAction } : {})}
      isDisabled={disabled}
      textValue={textValue ?? (typeof children === 'string' ? children : '')}
      className={classes(option.option, danger && option.danger)}
    >
      {({ isSelected, selectionMode }) => (
        <>
          {icon && <Icon name={icon} />}
          <span className={option.words}>{children}</span>
          {hint && <span className={option.hint}>{hint}</span>}
          {selectionMode !== 'none' && (
            <span className={option.check}>{isSelected && <Icon name="check" size={14} />}</span>
          )}
        </>
      )}
    </LibraryMenuItem>
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
  return (
    <LibraryMenuSection
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={value === undefined ? [] : [value]}
      onSelectionChange={(keys) => {
        const [key] = keys
        if (key !== undefined && key !== value) onChange(key as T)
      }}
    >
      {isLabelShown && <Header className={option.group}>{label}</Header>}
      {children}
    </LibraryMenuSection>
  )
}

/** A line that opens a further menu beside it. */
export function Submenu({ icon, label, children }: { icon?: IconName; label: string; children: ReactNode }) {
  return (
    <SubmenuTrigger>
      <LibraryMenuItem textValue={label} className={option.option ?? ''}>
        {icon && <Icon name={icon} />}
        <span className={option.words}>{label}</span>
        <Icon name="chevronRight" size={14} />
      </LibraryMenuItem>
      <Popover className={classes(panel.panel, css.menu)} offset={2}>
        <LibraryMenu aria-label={label} className={css.list ?? ''}>
          {children}
        </LibraryMenu>
      </Popover>
    </SubmenuTrigger>
  )
}

/** A hairline between the parts of a menu. */
export function MenuLine() {
  return <Separator className={option.line ?? ''} />
}
