import { Gazetteer } from '../gazetteer/gazetteer.ts'
import type { AddressProvider } from './address-provider.ts'

/** The cities that ship with the platform; they are read when the first person asks. */
export function openEmbedded(): AddressProvider {
  let opened: Promise<Gazetteer> | undefined
  const open = () => {
    opened ??= Gazetteer.open().catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    name: 'embedded',
    search: async (text, lang) => (await open()).search(text, lang),
    nameOf: async (point, lang) => (await open()).nameOf(point, lang),
  }
}
