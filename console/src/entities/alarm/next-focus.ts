/** Marks the buttons that acknowledge an alarm of a list. */
export const acknowledges = { 'data-acknowledges': '' } as const

/** An acknowledged alarm leaves its list within this time, or not at all. */
const goneWithinMs = 10_000

/**
 * Notes where in a list an alarm is being acknowledged. The answered function moves the focus to the next such button,
 * or else to the list, if the pressed one is gone: the browser leaves it on the page's body. A table does so itself.
 */
export function noteFocus(): () => void {
  const pressed = document.activeElement
  if (pressed?.closest('[data-keeps-focus]')) return () => undefined
  const around: Element[] = []
  for (let one = pressed?.parentElement; one; one = one.parentElement)
    if (one.matches('ul, section, main')) around.push(one)
  const place = around[0] ? buttonsOf(around[0]).indexOf(pressed as HTMLElement) : -1
  const moveOn = () => {
    if (document.activeElement !== document.body) return
    const list = around.find(({ isConnected }) => isConnected)
    if (!(list instanceof HTMLElement)) return
    const left = place < 0 ? [] : buttonsOf(list)
    const next = left[Math.min(place, left.length - 1)]
    if (!next && list.tabIndex < 0) list.tabIndex = -1
    ;(next ?? list).focus()
  }
  return () => {
    if (!pressed?.isConnected) return moveOn()
    // The list may only show later that the alarm is acknowledged, and take the button away then.
    const watch = new MutationObserver(() => {
      if (pressed.isConnected) return
      watch.disconnect()
      moveOn()
    })
    watch.observe(document.body, { childList: true, subtree: true })
    setTimeout(() => watch.disconnect(), goneWithinMs)
  }
}

const buttonsOf = (list: Element) => [...list.querySelectorAll<HTMLElement>('[data-acknowledges]')]
