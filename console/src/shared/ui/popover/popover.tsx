import type { ReactElement, ReactNode } from 'react'
import {
  Dialog,
  DialogTrigger,
  Popover as LibraryPopover,
  type Placement,
} from 'react-aria-components/Popover'
import { Pressable } from 'react-aria-components/Pressable'
import { classes } from '../classes.ts'
import { KitScope } from '../kit/kit-scope.tsx'
import panel from '../kit/panel.module.css'
import css from './popover.module.css'

interface PopoverProps {
  /** Its name for screen readers. */
  label: string
  /** The button that opens it: it takes a ref and the properties of a button. */
  trigger: ReactElement<object, string>
  children: ReactNode | ((close: () => void) => ReactNode)
  placement?: Placement
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  className?: string | undefined
}

/**
 * A small panel of anything at its button, on the side where there is room. Esc and a press elsewhere close it; the focus
 * returns to the button.
 */
export function Popover(props: PopoverProps) {
  const { label, trigger, children, placement = 'bottom start', isOpen, onOpenChange, className } = props
  return (
    <KitScope>
      <DialogTrigger
        {...(isOpen === undefined ? {} : { isOpen })}
        {...(onOpenChange ? { onOpenChange } : {})}
      >
        <Pressable>{trigger}</Pressable>
        <LibraryPopover className={panel.panel ?? ''} placement={placement} offset={6}>
          <Dialog aria-label={label} className={classes(css.body, className)}>
            {({ close }) => (typeof children === 'function' ? children(close) : children)}
          </Dialog>
        </LibraryPopover>
      </DialogTrigger>
    </KitScope>
  )
}
