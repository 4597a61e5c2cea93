import { lazyPart } from '../../../shared/ui/lazy-part.tsx'

/** MapLibre comes with it, once there is a place to show. */
export const SmallMap = lazyPart(() => import('./small-map.tsx').then((module) => module.SmallMap))
