import { lazyPart } from '../../shared/ui/lazy-part.tsx'

/** The map for pages whose other parts need none: it is loaded when it is first drawn. */
export const MapCanvas = lazyPart(() => import('./map-canvas.tsx').then((module) => module.MapCanvas))
