import { type ComponentType, useEffect, useState } from 'react'

/** Toasts and tips: loaded after the first paint, which does not wait for them. */
export function LaterLayers() {
  const [Loaded, setLoaded] = useState<ComponentType>()
  useEffect(() => {
    import('./page-layers.tsx').then(
      ({ PageLayers }) => setLoaded(() => PageLayers),
      () => {},
    )
  }, [])
  return Loaded && <Loaded />
}
