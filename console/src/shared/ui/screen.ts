import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')
const root = createRoot(container)

/** Puts the tree of a bundle on the screen, in place of another: the screens before the session, or inside it. */
export function showRoot(tree: ReactNode): void {
  root.render(tree)
}
