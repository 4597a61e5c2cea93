import '../src/shared/ui/tokens.gen.css'
import '../src/shared/ui/base.css'
import type { Lang } from '@busbar/contract'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach } from 'vitest'
import { commands } from 'vitest/browser'
import { loadLanguage } from '../src/shared/i18n/language.ts'
import { ToastList } from '../src/shared/ui/toast/toast-list.tsx'
import { hideToast, toasts } from '../src/shared/ui/toast/toast-store.ts'
import { TooltipLayer } from '../src/shared/ui/tooltip/tooltip-layer.tsx'

declare module 'vitest/browser' {
  interface BrowserCommands {
    touch(selector: string, heldMs: number): Promise<void>
    dragTo(from: string, to: { x: number; y: number }): Promise<void>
    moveTo(selector: string): Promise<void>
  }
}

let root: Root | undefined
let container: HTMLElement | undefined

/** Draws parts of the console as its page would, with toasts and tips. The test's end takes them away. */
export async function render(content: ReactNode, lang: Lang = 'en'): Promise<void> {
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
  return <span hidden ref={() => onDrawn()} />
}

afterEach(() => {
  root?.unmount()
  container?.remove()
  for (const { key } of toasts.get()) hideToast(key)
  delete document.documentElement.dataset.layout
  delete document.documentElement.dataset.theme
})

export const { touch, dragTo, moveTo } = commands
