import { untilStill } from '@busbar/testkit/still.ts'
import type { Page } from 'playwright-core'

/*
 * The faults of a page at the width of its window. A text, because this project does not know the browser's
 * types.
 */

/** The first screen of a phone. */
export const phone = { width: 390, height: 844 }

const faultsScript = `(() => {
  const phone = ${JSON.stringify(phone)}
  const faults = []
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) faults.push('the document scrolls sideways by ' + (root.scrollWidth - innerWidth) + ' px')
  // Pages behind a session scroll inside themselves: their main part has a bar, a menu or a head beside it. A
  // sheet that is printed scrolls with the window.
  const scrollsInside = document.querySelector('#content:not([data-prints])')
  if (scrollsInside && root.scrollHeight !== root.clientHeight)
    faults.push('the document is ' + (root.scrollHeight - root.clientHeight) + ' px taller than the window')
  const scrolls = (style) => style === 'auto' || style === 'scroll'
  const named = (one) => (one.getAttribute('aria-label') || one.textContent || one.getAttribute('placeholder') || one.tagName).trim().slice(0, 40)
  /** The visible part of a box, clipped by its ancestors. */
  const seen = (one) => {
    const own = one.getBoundingClientRect()
    const box = { left: own.left, right: own.right, top: own.top, bottom: own.bottom }
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up)
      const edge = up.getBoundingClientRect()
      if (style.overflowX !== 'visible') { box.left = Math.max(box.left, edge.left); box.right = Math.min(box.right, edge.right) }
      if (style.overflowY !== 'visible') { box.top = Math.max(box.top, edge.top); box.bottom = Math.min(box.bottom, edge.bottom) }
      if (style.position === 'fixed') break
    }
    return box
  }
  // A modal dialog lies above a page of which nothing can be pressed.
  const top = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
  const controls = [...top.querySelectorAll('a[href], button, input, select, [role="tab"]')].filter((one) => {
    // Links past a part of the page appear when they get the focus.
    if (one.closest('[inert], .sr-only, [hidden], [data-skip]') || !one.checkVisibility({ opacityProperty: false, visibilityProperty: true })) return false
    const box = one.getBoundingClientRect()
    // A control that only screen readers find, or one that lies behind its own label.
    return box.width > 2 && box.height > 2 && getComputedStyle(one).clipPath === 'none' && !(one.tagName === 'INPUT' && one.closest('label'))
  })
  for (const one of controls) {
    const box = one.getBoundingClientRect()
    let reach = { left: 0, right: innerWidth, top: 0, bottom: innerHeight }
    let isReached = { x: false, y: false }
    for (let up = one.parentElement; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up)
      const edge = up.getBoundingClientRect()
      if (scrolls(style.overflowX) && up.scrollWidth > up.clientWidth) isReached.x = true
      else if (style.overflowX !== 'visible' && !isReached.x) {
        reach.left = Math.max(reach.left, edge.left)
        reach.right = Math.min(reach.right, edge.right)
      }
      if (scrolls(style.overflowY)) isReached.y = true
      else if (style.overflowY !== 'visible' && !isReached.y) {
        reach.top = Math.max(reach.top, edge.top)
        reach.bottom = Math.min(reach.bottom, edge.bottom)
      }
      if (style.position === 'fixed') break
    }
    if (!scrollsInside) isReached.y = true
    if (!isReached.x && (box.left < reach.left - 4 || box.right > reach.right + 4))
      faults.push('out of reach sideways: ' + named(one) + ' ' + Math.round(box.left) + '-' + Math.round(box.right) + ' of ' + Math.round(reach.left) + '-' + Math.round(reach.right))
    if (!isReached.y && (box.top < reach.top - 4 || box.bottom > reach.bottom + 4))
      faults.push('out of reach below: ' + named(one) + ' ' + Math.round(box.top) + '-' + Math.round(box.bottom))
  }
  // Controls that are drawn over each other, in headers and toolbars: a cell's link may lie over its whole row.
  const isSticky = (one) => {
    for (let up = one; up && up !== document.body; up = up.parentElement) if (getComputedStyle(up).position === 'sticky') return true
    return false
  }
  const bars = controls
    .filter((one) => !one.closest('[role="grid"], [role="list"], ul, table, [role="dialog"]') || one.closest('header'))
    .map((one) => ({ one, box: seen(one), sticky: isSticky(one) }))
  bars.forEach(({ one, box, sticky }, at) => {
    for (const { one: other, box: next, sticky: stickyToo } of bars.slice(at + 1)) {
      if (one.contains(other) || other.contains(one)) continue
      // Sticky elements lie above content that scrolls below them.
      if (sticky !== stickyToo) continue
      // A field holds its own buttons.
      if ((one.matches('input') || other.matches('input')) && one.parentElement.contains(other)) continue
      const across = Math.min(box.right, next.right) - Math.max(box.left, next.left)
      const down = Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top)
      if (across > 1 && down > 1) faults.push('drawn over each other: ' + named(one) + ' and ' + named(other))
    }
  })
  // Panels below each other: a section with a border around it is one.
  for (const panel of document.querySelectorAll('#content section + section')) {
    const isPanel = (one) => Number.parseFloat(getComputedStyle(one).borderLeftWidth) > 0 && one.getBoundingClientRect().height > 0
    const above = panel.previousElementSibling
    if (!isPanel(panel) || !isPanel(above)) continue
    const [upper, lower] = [above.getBoundingClientRect(), panel.getBoundingClientRect()]
    const gap = lower.top - upper.bottom
    if (lower.left < upper.right && upper.left < lower.right && gap < 8) faults.push('panels are ' + Math.round(gap) + ' px apart: ' + named(panel))
  }
  // Text that people decide by, in tables and cards.
  for (const cell of document.querySelectorAll('[data-kind="name"], [data-kind="person"], [data-kind="time"], [data-kind="acts"]')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode
      const holder = text.parentElement
      if (!text.data.trim() || holder.closest('.sr-only') || !holder.checkVisibility()) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const whole = range.getBoundingClientRect()
      for (let up = holder; cell.contains(up); up = up.parentElement) {
        const style = getComputedStyle(up)
        const edge = up.getBoundingClientRect()
        if ((style.overflowX !== 'visible' && (whole.right > edge.right + 1 || whole.left < edge.left - 1)) || (style.overflowY !== 'visible' && whole.bottom > edge.bottom + 3)) {
          faults.push('cut in a cell of the kind ' + cell.dataset.kind + ': ' + text.data.trim().slice(0, 60))
          break
        }
      }
    }
  }
  // The first screen of a phone shows what the page is about: its first row, card, chart, setting or form.
  if (innerWidth === phone.width && !document.querySelector('dialog:modal')) {
    const page = document.querySelector('[role="dialog"][data-pane]') ?? document.querySelector('main')
    const subject = [...page.querySelectorAll('[data-subject], form')].find((one) => one.checkVisibility())
    if (!subject) faults.push('the page has no subject')
    else {
      const box = subject.getBoundingClientRect()
      const least = Math.min(box.bottom, box.top + 96)
      if (seen(subject).bottom < least - 1 || least > innerHeight) faults.push('below the first screen: ' + named(subject) + ' ' + Math.round(box.top) + '-' + Math.round(box.bottom))
    }
  }
  for (const mark of document.querySelectorAll('[data-count]')) {
    const box = seen(mark)
    if (box.right > box.left && (box.left < 0 || box.right > innerWidth || box.top < 0)) faults.push('a count stands outside of the window')
  }
  return [...new Set(faults)].slice(0, 12)
})()`

/**
 * Every fault of the page as rendered: it scrolls sideways, is too tall, hides an action, or draws one over
 * another, cuts what people
 * decide by, or on a phone does not begin with its subject. Of a page with a modal dialog, those of the dialog.
 */
export async function findPageFaults(page: Page): Promise<string[]> {
  await untilStill(page)
  return page.evaluate<string[]>(faultsScript)
}
