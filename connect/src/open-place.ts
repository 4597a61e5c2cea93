import { Refusal } from './failure-text.ts'
import { isLoopback, listAddresses } from './interfaces.ts'
import type { Wanted } from './machines.ts'
import type { Mode } from './model.ts'
import type { Surroundings } from './output.ts'
import { addAddress, isHeld, requireFree } from './own-address.ts'
import { type RunningOpen, removeOpen, writeOpen } from './running-opens.ts'
import { ownPortOf, requirePermitted, type Target } from './target.ts'
import type { Texts } from './texts/index.ts'

/** The place of open ports on this computer, which other runs of the program see. */
export interface OpenPlace {
  /** With the ports that the place prescribes. */
  readonly wanted: readonly Wanted[]
  readonly isAdded: boolean
  /** Tells other runs where the ports are. */
  note(targets: readonly Pick<Target, 'name' | 'localAddress'>[]): Promise<void>
  leave(): Promise<void>
}

interface PlaceOptions {
  readonly address: string
  readonly wanted: readonly Wanted[]
  readonly machine: string
  readonly mode: Mode
  readonly t: Texts
  /** Before the system asks for an administrator's rights. */
  readonly beforeRights: () => void
}

/** Takes the address on which ports open, and adds it where this computer does not have it. @throws Refusal, LocalPortError */
export async function takePlace(around: Surroundings, options: PlaceOptions): Promise<OpenPlace> {
  const { address, machine, mode, t, beforeRights } = options
  const isAdded = !isLoopback(address)
  let open: RunningOpen = {
    pid: process.pid,
    since: Date.now(),
    machine,
    mode,
    added: isAdded ? address : null,
    ports: [],
  }
  let remove = async (): Promise<void> => undefined
  const wanted = isAdded ? options.wanted.map((one) => atOwnPort(one, t)) : options.wanted
  if (isAdded) {
    requireFree(address, listAddresses(), t)
    for (const { localPort = 0 } of wanted) await requirePermitted(localPort)
    beforeRights()
  }
  // Before the address is there: whatever ends the program then, the next one removes it.
  await writeOpen(around, open)
  const leave = async (): Promise<void> => {
    await remove()
    // The next start tries again.
    if (!isAdded || !isHeld(listAddresses(), address)) await removeOpen(around, open.pid)
  }
  try {
    if (isAdded) remove = await addAddress(address, around, t)
  } catch (error) {
    await leave()
    throw error
  }
  return {
    wanted,
    isAdded,
    leave,
    async note(targets) {
      const ports = targets.map(({ name, localAddress }) => ({ name, address: localAddress }))
      open = { ...open, ports }
      await writeOpen(around, open)
    },
  }
}

/** @throws Refusal where nobody knows the port that tools expect */
function atOwnPort({ port, localPort }: Wanted, t: Texts): Wanted {
  const own = localPort ?? ownPortOf(port)
  if (own === undefined) throw new Refusal('needLocalPort', t.needLocalPort(port.name))
  return { port, localPort: own }
}
