import type { visits } from '@busbar/contract'

/** The wishes of a person who connects a tool. */
export interface PortWish {
  readonly code: string
  readonly port: string
  readonly mode: visits.VisitMode
  /** Empty: the program picks one. */
  readonly localPort: string
}

/** As the platform's folder of programs names it. */
export const programFile = 'busbar-connect.mjs'

const program = `node ${programFile}`

/** The name comes from an agent, and the line goes into a shell: no name has other signs than these. */
const wordOf = (name: string): string => name.replaceAll(/[^\w.:@[\]-]/g, '')

export const signInCommand = (origin: string): string => `${program} login --server ${origin}`

export function openCommand({ code, port, mode, localPort }: PortWish): string {
  const target = localPort === '' ? wordOf(port) : `${wordOf(port)}:${localPort}`
  return `${program} open ${code} ${target} --mode ${mode}`
}

export const isLocalPort = (text: string): boolean =>
  text === '' || (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535)
