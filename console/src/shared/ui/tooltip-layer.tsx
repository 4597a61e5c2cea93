import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import css from './tooltip-layer.module.css'

const delayMs = 350
const gap = 6
const margin = 8

interface Tip {
  readonly text: string
  readonly target: Element
}

/**
 * One tip for the whole page: any element with `data-tip` gets it on hover and on keyboard focus, under it or with
 * `data-tip-side="right"` beside it. It costs a list
 * of 5,000 rows nothing. The tip repeats what a screen reader hears from the element itself, so it is hidden there.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip>()
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let target: Element | undefined
    const hide = () => {
      clearTimeout(timer)
      target = undefined
      setTip(undefined)
    }
    const aim = (element: Element | null, waitMs: number) => {
      if (element === (target ?? null)) return
      hide()
      if (!element) return
      target = element
      timer = setTimeout(() => {
        const text = element.getAttribute('data-tip')
        if (text && element.isConnected) setTip({ text, target: element })
      }, waitMs)
    }
    const closest = (event: Event) =>
      event.target instanceof Element ? event.target.closest('[data-tip]') : null
    const onOver = (event: PointerEvent) => event.pointerType === 'mouse' && aim(closest(event), delayMs)
    const onFocus = (event: FocusEvent) => {
      const element = closest(event)
      if (element?.matches(':focus-visible')) aim(element, 0)
    }
    document.addEventListener('pointerover', onOver)
    document.addEventListener('focusin', onFocus)
    for (const name of hiders) document.addEventListener(name, hide, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', onOver)
      document.removeEventListener('focusin', onFocus)
      for (const name of hiders) document.removeEventListener(name, hide, true)
    }
  }, [])

  useLayoutEffect(() => {
    if (tip && box.current) place(box.current, tip.target)
  }, [tip])

  if (!tip) return null
  return (
    <div ref={box} className={css.tip} aria-hidden="true">
      {tip.text}
    </div>
  )
}

const hiders = ['pointerdown', 'scroll', 'keydown', 'focusout'] as const

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
