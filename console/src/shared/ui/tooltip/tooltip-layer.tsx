import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import css from './tooltip-layer.module.css'

/** Delay of a tip under a mouse, and under a finger that stays. */
const delayMs = { mouse: 350, touch: 500 } as const
/** So long a tip stays after the pointer left its element: enough to move onto the tip. */
const graceMs = 150
/** A finger that moves further than this scrolls. */
const slackPx = 10
const gap = 6
const margin = 8

interface Tip {
  readonly text: string
  readonly target: Element
}

/**
 * One tip for the whole page: any element with `data-tip` gets it under a mouse, at a long press, and on
 * keyboard focus, below the element or with `data-tip-side="right"` beside it. It costs a list of 5,000 rows
 * nothing. The pointer can move onto the tip; Esc hides it. The tip repeats what a screen reader hears from
 * the element itself, so it is hidden there.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip>()
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => watchTips(setTip, box), [])

  useLayoutEffect(() => {
    if (!tip || !box.current) return
    // In the top layer, above an open dialog.
    box.current.showPopover()
    place(box.current, tip.target)
  }, [tip])

  if (!tip) return null
  return createPortal(
    <div ref={box} popover="manual" className={css.tip} aria-hidden="true" data-react-aria-top-layer="true">
      {tip.text}
    </div>,
    // Outside an open dialog the pointer would pass through it.
    tip.target.closest('dialog') ?? document.body,
  )
}

/** Follows the pointer, the finger and the focus over the page. */
function watchTips(show: (tip: Tip | undefined) => void, box: { current: HTMLElement | null }): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let target: Element | undefined
  /** The tip of `target` is on the screen; before, `timer` runs until it comes. */
  let isShown = false
  /** Position at which a finger went down, until it goes up. */
  let finger: { x: number; y: number } | undefined
  /** A long press has shown a tip: the click at its end is not meant. */
  let isHeld = false

  const hide = () => {
    clearTimeout(timer)
    target = undefined
    isShown = false
    show(undefined)
  }
  const aim = (element: Element, waitMs: number) => {
    if (element === target && isShown) return clearTimeout(timer)
    hide()
    target = element
    timer = setTimeout(() => {
      const text = element.getAttribute('data-tip')
      if (!text || !element.isConnected) return
      isHeld = finger !== undefined
      isShown = true
      show({ text, target: element })
    }, waitMs)
  }
  const inTip = (event: Event) => event.target instanceof Node && box.current?.contains(event.target)

  const handlers = {
    pointerover(event: PointerEvent) {
      if (event.pointerType !== 'mouse') return
      if (inTip(event)) return clearTimeout(timer)
      const element = tipOf(event)
      if (element) return aim(element, isShown ? 0 : delayMs.mouse)
      // The tip of the focused element stays while the mouse is elsewhere.
      if (!target || target.matches(':focus-visible')) return
      clearTimeout(timer)
      timer = setTimeout(hide, graceMs)
    },
    pointerdown(event: PointerEvent) {
      isHeld = false
      hide()
      finger = undefined
      if (event.pointerType === 'mouse') return
      finger = { x: event.clientX, y: event.clientY }
      const element = tipOf(event)
      if (element) aim(element, delayMs.touch)
    },
    pointermove(event: PointerEvent) {
      if (!finger || Math.hypot(event.clientX - finger.x, event.clientY - finger.y) < slackPx) return
      finger = undefined
      hide()
    },
    pointerup() {
      finger = undefined
      // The tip of a long press stays until the next touch.
      if (!isHeld) clearTimeout(timer)
    },
    pointercancel() {
      finger = undefined
      hide()
    },
    click(event: MouseEvent) {
      if (!isHeld || inTip(event)) return
      isHeld = false
      event.preventDefault()
      event.stopPropagation()
    },
    contextmenu(event: MouseEvent) {
      // A long press would open the browser's menu over the tip.
      if (isHeld || (finger && tipOf(event))) event.preventDefault()
    },
    keydown: hide,
    scroll: hide,
    focusin(event: FocusEvent) {
      const element = tipOf(event)
      if (element?.matches(':focus-visible')) aim(element, 0)
    },
    focusout: hide,
  }
  const names = Object.keys(handlers) as (keyof typeof handlers)[]
  for (const name of names) document.addEventListener(name, handlers[name] as EventListener, true)
  return () => {
    clearTimeout(timer)
    for (const name of names) document.removeEventListener(name, handlers[name] as EventListener, true)
  }
}

const tipOf = ({ target }: Event) => (target instanceof Element ? target.closest('[data-tip]') : null)

function place(box: HTMLElement, target: Element): void {
  const at = target.getBoundingClientRect()
  const { width, height } = box.getBoundingClientRect()
  if (target.getAttribute('data-tip-side') === 'right') {
    box.style.left = `${at.right + gap}px`
    box.style.top = `${at.top + at.height / 2 - height / 2}px`
    return
  }
  const below = at.bottom + gap + height <= innerHeight - margin
  const left = Math.min(Math.max(margin, at.left + at.width / 2 - width / 2), innerWidth - width - margin)
  box.style.left = `${left}px`
  box.style.top = `${below ? at.bottom + gap : at.top - gap - height}px`
}
