type Child = Node | string

/** An element with a class and children; texts become text, never markup. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (className !== '') element.className = className
  element.append(...children)
  return element
}

export function button(className: string, onClick: () => void, ...children: Child[]): HTMLButtonElement {
  const element = el('button', className, ...children)
  element.type = 'button'
  element.addEventListener('click', onClick)
  return element
}

/** An element of index.html. */
export function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`index.html has no ${id}`)
  return element as Type
}

/** Changes a text only if it differs, so that a quiet page stays quiet for browser and screen reader. */
export function setText(element: Node, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

export function setAttribute(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

export function refill(element: Element, ...children: Child[]): void {
  element.textContent = ''
  element.append(...children)
}

const icons = {
  values: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  trend: 'M3 4v16h18M6 15l4-5 4 3 6-7',
  setpoints: 'M4 7h8M18 7h2M4 17h2M12 17h8M15 4.5v5M9 14.5v5',
  alarms: 'M12 3l9 9-9 9-9-9zM12 8.5v4M12 15.6v.1',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  hand: 'M8 12V6a1.5 1.5 0 0 1 3 0v5-6.5a1.5 1.5 0 0 1 3 0V11V6a1.5 1.5 0 0 1 3 0v8c0 4-2 6.5-5.5 6.5S7 18.5 5.5 16L4 13.5a1.5 1.5 0 0 1 2.5-1.5L8 13.5z',
  back: 'M9 5h11v14H9l-6-7zM12 9.5l5 5M17 9.5l-5 5',
  done: 'M5 12.5l4.5 4.5L19 7',
}

/** An icon of 24 × 24 units that is hidden from screen readers. */
export function icon(name: keyof typeof icons): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', icons[name])
  svg.append(path)
  return svg
}
