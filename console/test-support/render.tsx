import '../src/shared/ui/tokens.gen.css'
import '../src/shared/ui/base.css'
import '../src/shared/ui/inside.css'
import '../src/shared/ui/more-icons.ts'
import type { Lang } from '@busbar/contract'
import { type ReactNode, useEffect } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { commands } from 'vitest/browser'
import { loadLanguage } from '../src/shared/i18n/language.ts'
import { ToastList } from '../src/shared/ui/toast/toast-list.tsx'
import { hideToast, releaseToasts, toasts } from '../src/shared/ui/toast/toast-store.ts'
import { TooltipLayer } from '../src/shared/ui/tooltip/tooltip-layer.tsx'

declare module 'vitest/browser' {
  interface BrowserCommands {
    tap(selector: string): Promise<void>
    hold(selector: string, heldMs: number): Promise<void>
    touchDrag(selector: string, byX: number): Promise<void>
    dragTo(from: string, to: { x: number; y: number }): Promise<void>
    moveTo(selector: string): Promise<void>
    still(): Promise<void>
  }
}

interface Look {
  readonly theme?: 'light' | 'dark'
  readonly layout?: 'wide' | 'narrow'
}

let root: Root | undefined
let container: HTMLElement | undefined

/**
 * Draws parts of the console as its page would, with toasts and tips, in place of those that the test before drew. The
 * theme and the layout are a page's own: light, and wide.
 */
export async function render(content: ReactNode, lang: Lang = 'en', look: Look = {}): Promise<void> {
  root?.unmount()
  container?.remove()
  for (const { key } of toasts.get()) hideToast(key)
  releaseToasts()
  const { theme = 'light', layout = 'wide' } = look
  Object.assign(document.documentElement.dataset, { theme, layout })
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  await loadLanguage(lang, 'inside')
  container = document.body.appendChild(document.createElement('div'))
  root = createRoot(container)
  await new Promise<void>((resolve) => {
    root?.render(
      <>
        {content}
        <ToastList />
        <TooltipLayer />
        <Drawn onDrawn={resolve} />
      </>,
    )
  })
}

function Drawn({ onDrawn }: { onDrawn: () => void }) {
  // The last in the tree: its effect runs after those of all others.
  useEffect(onDrawn, [onDrawn])
  return null
}

export const { tap, hold, touchDrag, dragTo, moveTo, still } = commands
