import './more-icons.ts'
import { ToastList } from './toast/toast-list.tsx'
import { TooltipLayer } from './tooltip/tooltip-layer.tsx'

/** The layers above every page: toasts and tips. */
export function PageLayers() {
  return (
    <>
      <ToastList />
      <TooltipLayer />
    </>
  )
}
