import type { Api } from './api.ts'
import { Refusal } from './failure-text.ts'
import { type ListedMachine, type ListedPort, type Mode, printable } from './model.ts'
import type { Texts } from './texts/index.ts'

/** The one machine that a code or a name means. @throws Refusal */
export async function findMachine(api: Api, wanted: string, t: Texts): Promise<ListedMachine> {
  const found = await api.listMachines(wanted)
  const exact = found.filter(({ name, code }) => code === wanted || name === wanted)
  const [first, ...others] = exact.length > 0 ? exact : found
  if (!first) throw new Refusal('noMachine', t.noMachine(wanted))
  if (others.length === 0) return first
  const lines = [first, ...others].map(({ name, code }) => `  ${code}  ${printable(name)}`)
  throw new Refusal('manyMachines', [t.manyMachines(wanted), ...lines].join('\n'))
}

/** A port to open, and where on this computer; undefined: at the usual place. */
export interface Wanted {
  readonly port: ListedPort
  readonly localPort: number | undefined
}

/**
 * The ports that `NAME` or `NAME:LOCALPORT` mean. A name may be `host:port`, so the whole text is tried as a name first.
 * @throws Refusal
 */
export function findPorts(typed: readonly string[], ports: readonly ListedPort[], t: Texts): Wanted[] {
  if (ports.length === 0) throw new Refusal('noPorts', t.noPorts)
  return typed.map((text) => {
    const whole = ports.find(({ name }) => name === text)
    if (whole) return { port: whole, localPort: undefined }
    const at = text.lastIndexOf(':')
    const port = at > 0 ? ports.find(({ name }) => name === text.slice(0, at)) : undefined
    if (!port)
      throw new Refusal('noPort', t.noPort(text, ports.map(({ name }) => printable(name)).join(', ')))
    const digits = text.slice(at + 1)
    const localPort = Number(digits)
    if (!/^\d{1,5}$/.test(digits) || localPort < 1 || localPort > 65_535)
      throw new Refusal('wrongLocalPort', t.wrongLocalPort(digits))
    return { port, localPort }
  })
}

/** The mode of a visit to these ports: the person's choice, or the most that they may at all of them. @throws Refusal */
export function chooseMode(ports: readonly ListedPort[], wished: Mode | undefined, t: Texts): Mode {
  const none = ports.find(({ mayChange, mayLook }) => !mayChange && !mayLook)
  if (none) throw new Refusal('mayNot', t.mayNot(none.name))
  const mode = wished ?? (ports.every(({ mayChange }) => mayChange) ? 'rw' : 'ro')
  const may = ({ mayChange, mayLook }: ListedPort) => (mode === 'rw' ? mayChange : mayLook)
  const refused = ports.find((port) => !may(port))
  if (refused && mode === 'rw') throw new Refusal('mayLookOnly', t.mayLookOnly(refused.name))
  if (refused) throw new Refusal('mayNotLook', t.mayNotLook(refused.name))
  return mode
}
