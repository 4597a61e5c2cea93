import { useEffect, useRef, useState } from 'react'
import type { Place } from '../../../entities/place/map-point.ts'
import { useMapText } from '../../../entities/place/map-text.ts'
import { hideToast, showToast } from '../../../shared/ui/toast/toast-store.ts'

const waitMsMax = 15_000
/** A position of the last minute is asked for no second time. */
const keptMsMax = 60_000

/** The person's own position, asked of the browser when they want it. It stays in this page: nothing stores or sends it. */
export function useNear(onHere: (here: Place) => void): [here: Place | undefined, toggle: () => void] {
  const t = useMapText().near
  const [here, setHere] = useState<Place>()
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  function toggle() {
    if (here) return setHere(undefined)
    if (!('geolocation' in navigator)) return void showToast(t.failed, 'failure')
    const asking = showToast(t.asking, 'info')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        hideToast(asking)
        if (isGone.current) return
        const place = { lat: coords.latitude, lng: coords.longitude }
        setHere(place)
        onHere(place)
      },
      ({ code, PERMISSION_DENIED }) => {
        hideToast(asking)
        showToast(code === PERMISSION_DENIED ? t.denied : t.failed, 'failure')
      },
      { timeout: waitMsMax, maximumAge: keptMsMax },
    )
  }

  return [here, toggle]
}
