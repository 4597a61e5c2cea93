import type { onboarding } from '@busbar/contract'

/** The line that sets an agent up by its link. The script takes options where its shell can pass them on. */
export function installLine(system: onboarding.SetupSystem, setupUrl: string, networks: string): string {
  const url = system === 'linux' ? setupUrl : `${setupUrl}?system=${system}`
  if (system === 'windows') return `irm '${url}' | iex`
  const options = parseNetworks(networks)?.join(',')
  return `curl -fsS '${url}' | sudo sh${options ? ` -s -- --networks ${options}` : ''}`
}

const network = /^(\d{1,3}\.){3}\d{1,3}\/\d{1,2}$/

/** The networks of a list; undefined where a part of it is not one. */
export function parseNetworks(text: string): string[] | undefined {
  const parts = text.split(/[\s,;，；、]+/).filter(Boolean)
  return parts.every((part) => network.test(part)) ? parts : undefined
}
