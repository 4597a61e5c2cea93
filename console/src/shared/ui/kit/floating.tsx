import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { createPortal, flushSync } from 'react-dom'
import { classes } from '../classes.ts'
import { isComposing } from '../keys.ts'
import { DialogBox } from './dialog-box.ts'
import css from './panel.module.css'
import { type Placement, placeBeside } from './place-beside.ts'
import { topDialog } from './top-dialog.ts'

interface FloatingProps {
  role: 'menu' | 'listbox' | 'dialog'
  /** Its name for screen readers. */
  label: string
  /** The element that it stands at; the focus returns there. */
  opener: HTMLElement
  placement: Placement
  onClose: () => void
  className?: string | undefined
  /** The element with the first focus; the panel itself, if there is none. */
  findFirst?: (panel: HTMLElement) => HTMLElement | null | undefined
  /** Keys before the panel's own, Esc and Tab. */
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  children: ReactNode | ((close: () => void) => ReactNode)
}

const tabStops =
  ':is(button, a[href], input, select, textarea, summary, [tabindex]):not(:disabled, [tabindex^="-"])'

/**
 * An open panel at its button, in the browser's top layer. The layer around it takes the presses beside it, so that the
 * page need not be made inert: that would compute the style of each of its elements anew, a third of the time that a menu
 * takes to open.
 */
export function Floating(props: FloatingProps) {
  const { role, label, opener, placement, onClose, className, findFirst, children } = props
  const around = useContext(DialogBox)
  const layer = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const isPressedBeside = useRef(false)
  const surroundings = useMemo(() => ({ box: layer, noteChange: () => around?.noteChange() }), [around])

  function close() {
    // Closes synchronously and returns the focus: a dialog opened by an action returns it to the same place.
    flushSync(onClose)
    opener.focus({ preventScroll: true })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: shown once; it stays where it is until it closes
  useLayoutEffect(() => {
    const element = panel.current
    if (!layer.current || !element) return
    const place = () => placeBeside(element, opener.getBoundingClientRect(), placement)
    layer.current.showPopover()
    element.style.setProperty('--opener-width', `${opener.offsetWidth}px`)
    place()
    const first = findFirst?.(element) ?? element.querySelector<HTMLElement>('[data-autofocus]') ?? element
    first.focus()
    const observer = new ResizeObserver(place)
    observer.observe(element)
    addEventListener('resize', place)
    return () => {
      observer.disconnect()
      removeEventListener('resize', place)
    }
  }, [])

  // A pressed button that is disabled during its call loses the focus to the page, where the panel does not
  // receive Esc.
  const closeLatest = useRef(close)
  closeLatest.current = close
  useEffect(() => {
    function onKey(event: globalThis.KeyboardEvent) {
      if (event.key !== 'Escape' || !hasLostFocus()) return
      event.stopPropagation()
      closeLatest.current()
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [])

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    event.stopPropagation()
    props.onKeyDown?.(event)
    if (event.defaultPrevented) return
    if (event.key === 'Escape' && !isComposing(event.nativeEvent)) {
      event.preventDefault()
      close()
    } else if (event.key === 'Tab' && panel.current) keepTab(event, panel.current)
  }

  // A finger that opened the panel by a long press goes up beside it.
  function onPointerDown(event: PointerEvent) {
    event.stopPropagation()
    isPressedBeside.current = event.target === event.currentTarget
  }

  function onClick(event: MouseEvent) {
    event.stopPropagation()
    if (isPressedBeside.current && event.target === event.currentTarget) close()
  }

  const dialog = { role: 'dialog', 'aria-modal': true, 'aria-label': label }
  return createPortal(
    <DialogBox value={surroundings}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: takes the presses beside the panel; its keys are those of the panel */}
      <div
        ref={layer}
        {...(role === 'dialog' ? {} : dialog)}
        popover="manual"
        className={css.layer}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onClick={onClick}
      >
        <div
          ref={panel}
          {...(role === 'dialog' ? dialog : { role, 'aria-label': label })}
          tabIndex={-1}
          className={classes(css.panel, css.floating, className)}
        >
          {typeof children === 'function' ? children(close) : children}
        </div>
      </div>
    </DialogBox>,
    // Everything outside an open dialog is inert.
    around?.box.current ?? document.body,
  )
}

/** Leads from the last stop to the first, and back. */
function keepTab(event: KeyboardEvent, panel: HTMLElement): void {
  const stops = [...panel.querySelectorAll<HTMLElement>(tabStops)].filter((stop) => stop.checkVisibility())
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]]
  if (from && document.activeElement !== from && !(event.shiftKey && document.activeElement === panel)) return
  event.preventDefault()
  to?.focus()
}

/** Whether no element has the focus, or one that hears no keys; a dialog above the panel handles its own. */
function hasLostFocus(): boolean {
  if (topDialog.get()) return false
  const { activeElement } = document
  return activeElement === null || activeElement.matches('body, :disabled')
}
