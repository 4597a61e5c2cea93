import type { visits } from '@busbar/contract'

/** The wishes of a person who connects a tool. */
export interface PortWish {
  readonly code: string
  readonly port: string
  readonly mode: visits.VisitMode
  /** Empty: the program picks one. */
  readonly localPort: string
}

/** A system of the platform's programs; `any`: with Node. */
export type ProgramSystem = string

/** As the platform's list of programs names it. */
export const programName = 'busbar-connect'

/** The word that starts the program in its own folder. */
function startOf(system: ProgramSystem): string {
  if (system === 'any') return `node ${programName}.mjs`
  return system.startsWith('windows') ? `.\\${programName}` : `./${programName}`
}

/** The system of a person's computer, as far as a browser tells it. */
export function guessSystem(userAgent: string, offered: readonly ProgramSystem[]): ProgramSystem {
  const guess = /Windows/.test(userAgent)
    ? 'windows-x64'
    : /Mac OS X/.test(userAgent)
      ? 'macos-arm64'
      : 'linux-x64'
  return offered.includes(guess) ? guess : (offered[0] ?? 'any')
}

/** The name comes from an agent, and the line goes into a shell: no name has other signs than these. */
const wordOf = (name: string): string => name.replaceAll(/[^\w.:@[\]-]/g, '')

export const signInCommand = (system: ProgramSystem, origin: string): string =>
  `${startOf(system)} login --server ${origin}`

export function openCommand(system: ProgramSystem, { code, port, mode, localPort }: PortWish): string {
  const target = localPort === '' ? wordOf(port) : `${wordOf(port)}:${localPort}`
  return `${startOf(system)} open ${code} ${target} --mode ${mode}`
}

export const isLocalPort = (text: string): boolean =>
  text === '' || (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535)
