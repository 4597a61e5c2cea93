import { createContext, type ReactNode, useContext, useRef } from 'react'
import {
  Header,
  Menu as LibraryMenu,
  MenuItem as LibraryMenuItem,
  MenuSection as LibraryMenuSection,
  Popover,
  Separator,
  SubmenuTrigger,
} from 'react-aria-components/Menu'
import { flushSync } from 'react-dom'
import { classes } from '../classes.ts'
import { Icon } from '../icon.tsx'
import { KitScope } from '../kit/kit-scope.tsx'
import option from '../kit/option.module.css'
import panel from '../kit/panel.module.css'
import { useKeyOpened } from '../kit/use-key-opened.ts'
import { Text } from '../layout/layout.tsx'
import css from './menu.module.css'
import {
  type MenuChoicesProps,
  type MenuItemProps,
  type Placement,
  provideMenuParts,
  type SubmenuProps,
} from './menu-parts.ts'

interface MenuPanelProps {
  label: string
  opener: HTMLElement
  /** The line with the first focus, if none is chosen. */
  first: 'first' | 'last'
  placement: Placement
  onClose: () => void
  children: ReactNode
}

/** Pixels between a menu and its button. */
const gap = 6

/** Closes the menu around an item, before the item does its work. */
const CloseMenu = createContext(() => {})

/** The open panel of a menu. */
export function MenuPanel({ label, opener, first, placement, onClose, children }: MenuPanelProps) {
  const at = useRef<HTMLElement>(opener)
  at.current = opener
  useKeyOpened(opener)

  function close() {
    // Closes synchronously and returns the focus: a dialog opened by an action returns it to the same place.
    flushSync(onClose)
    opener.focus({ preventScroll: true })
  }

  return (
    <KitScope>
      <CloseMenu value={close}>
        <Popover
          aria-label={label}
          className={classes(panel.panel, css.menu)}
          isOpen
          triggerRef={at}
          onOpenChange={(isOpen) => !isOpen && onClose()}
          placement={placement}
          offset={gap}
        >
          <LibraryMenu aria-label={label} className={css.list ?? ''} autoFocus={first} onClose={onClose}>
            {children}
          </LibraryMenu>
        </Popover>
      </CloseMenu>
    </KitScope>
  )
}

function Item(props: MenuItemProps) {
  const { icon, drawing, danger = false, disabled = false, hint, href, id, children, textValue } = props
  const { onAction } = props
  const close = useContext(CloseMenu)
  return (
    <LibraryMenuItem
      {...(id === undefined ? {} : { id })}
      {...(href === undefined ? {} : { href, target: '_blank', rel: 'noopener' })}
      onAction={() => {
        if (!onAction) return
        close()
        onAction()
      }}
      isDisabled={disabled}
      textValue={textValue ?? (typeof children === 'string' ? children : '')}
      className={classes(option.option, danger && option.danger)}
    >
      {({ isSelected, selectionMode }) => (
        <>
          {icon ? <Icon name={icon} /> : drawing}
          <span className={option.words}>{children}</span>
          {hint && (
            <Text fixed tone="quiet" size={12} cut numbers className={option.hint}>
              {hint}
            </Text>
          )}
          {selectionMode !== 'none' && (
            <span className={option.check}>{isSelected && <Icon name="check" size={14} />}</span>
          )}
        </>
      )}
    </LibraryMenuItem>
  )
}

function Choices(props: MenuChoicesProps<string>) {
  const { label, isLabelShown = false, value, onChange, children } = props
  const close = useContext(CloseMenu)
  return (
    <LibraryMenuSection
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={value === undefined ? [] : [value]}
      onSelectionChange={(keys) => {
        const [key] = keys
        if (key === undefined || key === value) return
        close()
        onChange(String(key))
      }}
    >
      {isLabelShown && <Header className={option.group}>{label}</Header>}
      {children}
    </LibraryMenuSection>
  )
}

function Sub({ icon, label, children }: SubmenuProps) {
  return (
    <SubmenuTrigger>
      <LibraryMenuItem textValue={label} className={option.option ?? ''}>
        {icon && <Icon name={icon} />}
        <span className={option.words}>{label}</span>
        <Icon name="chevronRight" size={14} />
      </LibraryMenuItem>
      <Popover aria-label={label} className={classes(panel.panel, css.menu)} offset={2}>
        <LibraryMenu aria-label={label} className={css.list ?? ''}>
          {children}
        </LibraryMenu>
      </Popover>
    </SubmenuTrigger>
  )
}

function Line() {
  return <Separator className={option.line ?? ''} />
}

provideMenuParts({ Item, Choices, Sub, Line })
