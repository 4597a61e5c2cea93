import { createContext, use } from 'react'
import type { PlaceMap } from './place-map.ts'

const context = createContext<PlaceMap | undefined>(undefined)

export const MapProvider = context.Provider

/** The map that this part lies on. */
export function usePlaceMap(): PlaceMap {
  const map = use(context)
  if (!map) throw new Error('there is no map around this part')
  return map
}
