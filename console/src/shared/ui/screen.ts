import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')
const root = createRoot(container)

/** Puts one of the two worlds on the screen: before the session, or inside it. */
export function showWorld(world: ReactNode): void {
  root.render(world)
}
