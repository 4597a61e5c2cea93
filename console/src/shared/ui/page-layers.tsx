import './more-icons.ts'
import { ToastList } from './toast/toast-list.tsx'
import { TooltipLayer } from './tooltip/tooltip-layer.tsx'

/** What lies above a page, whatever it shows: toasts and tips. */
export function PageLayers() {
  return (
    <>
      <ToastList />
      <TooltipLayer />
    </>
  )
}
