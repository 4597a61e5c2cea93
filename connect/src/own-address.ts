import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from './failure-text.ts'
import { findObstacle, listAddresses, type OwnAddress } from './interfaces.ts'
import type { Output, Surroundings } from './output.ts'
import { listOpens, removeOpen } from './running-opens.ts'
import type { Texts } from './texts/index.ts'

/** A person answers a question for rights so long, at most. */
const rightsMsMax = 120_000
/** The removal at the end takes so long at most; the next start removes the rest. */
const removalMsMax = 5_000
const pollMs = 200
const reasonMax = 200

/** The commands that give the loopback interface an address, and take it away. */
export interface AddressCommands {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Undefined on a system for which there are none. @throws for anything but an IPv4 address */
export function addressCommands(system: NodeJS.Platform, address: string): AddressCommands | undefined {
  // The command runs with an administrator's rights.
  if (!isIPv4(address)) throw new Error('not an IPv4 address')
  const all: Partial<Record<NodeJS.Platform, AddressCommands>> = {
    linux: {
      add: ['ip', 'addr', 'add', `${address}/32`, 'dev', 'lo'],
      remove: ['ip', 'addr', 'del', `${address}/32`, 'dev', 'lo'],
    },
    darwin: {
      add: ['ifconfig', 'lo0', 'alias', address, 'netmask', '255.255.255.255'],
      remove: ['ifconfig', 'lo0', '-alias', address],
    },
    win32: {
      // Interface 1 is loopback, under whatever name; the active store is empty after a restart of the system.
      add: [
        ...['netsh', 'interface', 'ipv4', 'add', 'address', 'name=1'],
        ...[`address=${address}`, 'mask=255.255.255.255', 'store=active'],
      ],
      remove: [
        ...['netsh', 'interface', 'ipv4', 'delete', 'address', 'name=1'],
        ...[`address=${address}`, 'store=active'],
      ],
    },
  }
  return all[system]
}

/** A person at their computer, as far as administrator's rights go. */
export interface Caller {
  readonly system: NodeJS.Platform
  readonly isRoot: boolean
  /** Without a terminal, a desktop asks in a window. */
  readonly asksInWindow: boolean
  readonly pid: number
}

/**
 * The command line that adds an address and keeps the right to remove it, so that the person is asked once: it removes the
 * address when the program closes its input or ends, on Windows when the program ends.
 */
export function holdCommand({ add, remove }: AddressCommands, caller: Caller): readonly string[] {
  if (caller.system === 'win32') {
    const held = `${add.join(' ')}; if ($LASTEXITCODE -eq 0) { Wait-Process -Id ${caller.pid} -ErrorAction SilentlyContinue; ${remove.join(' ')} }`
    return elevate(['powershell', '-NoProfile', '-Command', held], caller)
  }
  const steps = [
    'PATH=/usr/sbin:/sbin:$PATH',
    // A key of the terminal ends the program, and by that this.
    `trap '' HUP INT TERM`,
    `${add.join(' ')} || exit 1`,
    'echo added',
    'cat >/dev/null',
    remove.join(' '),
  ]
  return elevate(['sh', '-c', steps.join('; ')], caller)
}

/** The same command with an administrator's rights. */
export function elevate(
  command: readonly string[],
  { system, isRoot, asksInWindow }: Caller,
): readonly string[] {
  if (system !== 'win32') return isRoot ? command : [asksInWindow ? 'pkexec' : 'sudo', ...command]
  const [program = '', ...rest] = command
  const list = rest.map((word) => `'${word.replaceAll("'", "''")}'`).join(',')
  const start = `Start-Process -FilePath ${program} -ArgumentList ${list} -Verb RunAs -WindowStyle Hidden`
  return ['powershell', '-NoProfile', '-Command', `$ErrorActionPreference='Stop'; ${start}`]
}

const callerOf = ({ platform, env, terminal }: Surroundings): Caller => ({
  system: platform,
  isRoot: process.getuid?.() === 0,
  asksInWindow: platform === 'linux' && !terminal && Boolean(env.DISPLAY || env.WAYLAND_DISPLAY),
  pid: process.pid,
})

/** @throws Refusal for an address that this computer, or a network that it is in, has already */
export function requireFree(address: string, all: readonly OwnAddress[], t: Texts): void {
  const obstacle = findObstacle(address, all)
  if (!obstacle) return
  const { fault, own } = obstacle
  if (fault === 'inUse') throw new Refusal('address.inUse', t.addressInUse(address, own.interface))
  throw new Refusal('address.inNetwork', t.addressInNetwork(address, own.cidr ?? '', own.interface))
}

/** Forgets programs that ended without doing so themselves, and removes the addresses that they added. */
export async function clearLeft(around: Surroundings, out: Output, t: Texts): Promise<void> {
  const { live, dead } = await listOpens(around)
  for (const { pid, added } of dead) {
    if (added && isHeld(listAddresses(), added) && !live.some((open) => open.added === added))
      try {
        out.note(t.addressRemoving(added))
        await removeLeft(added, around, t)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        out.note(error.message)
        continue
      }
    await removeOpen(around, pid)
  }
}

/** Adds an address to the loopback interface; the answer removes it. @throws Refusal */
export async function addAddress(
  address: string,
  around: Surroundings,
  t: Texts,
): Promise<() => Promise<void>> {
  const commands = addressCommands(around.platform, address)
  if (!commands) throw new Refusal('address.system', t.addressSystem)
  const holder = start(holdCommand(commands, callerOf(around)))
  const isAdded = around.platform === 'win32' ? holder.exited.then(() => appears(address)) : holder.added
  const isThere = await Promise.race([
    isAdded,
    once(around.stopped, 'abort').then(() => false),
    sleep(rightsMsMax, false, { ref: false }),
  ])
  if (!isThere) {
    holder.end()
    throw new Refusal('address.denied', t.addressDenied(address, await holder.complaint()))
  }
  return async () => {
    holder.end()
    await Promise.race([holder.exited, sleep(removalMsMax, undefined, { ref: false })])
  }
}

/** @throws Refusal where it stays */
async function removeLeft(address: string, around: Surroundings, t: Texts): Promise<void> {
  const remove = addressCommands(around.platform, address)?.remove ?? []
  const onPath = ['env', `PATH=/usr/sbin:/sbin:${around.env.PATH ?? ''}`, ...remove]
  const asked = around.platform === 'win32' ? remove : onPath
  const removal = start(elevate(asked, callerOf(around)))
  removal.end()
  await Promise.race([removal.exited, sleep(rightsMsMax, undefined, { ref: false })])
  if (isHeld(listAddresses(), address))
    throw new Refusal('address.left', t.addressLeft(address, await removal.complaint()))
}

/** Whether the loopback interface has this address. */
export const isHeld = (addresses: readonly OwnAddress[], address: string): boolean =>
  addresses.some((own) => own.isInternal && own.address === address)

async function appears(address: string): Promise<boolean> {
  for (const end = performance.now() + rightsMsMax; performance.now() < end; ) {
    if (isHeld(listAddresses(), address)) return true
    await sleep(pollMs)
  }
  return false
}

/** A running command: whether it says `added`, its end, and its last complaint. */
function start(command: readonly string[]) {
  const [program = '', ...args] = command
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
  let complaint = ''
  child.stderr.on('data', (bytes) => {
    complaint = `${complaint}${bytes}`.slice(-reasonMax)
  })
  child.stdin.on('error', () => undefined)
  child.on('error', (error) => {
    complaint = error.message
  })
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve()).once('error', () => resolve())
  })
  const added = new Promise<boolean>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'added') resolve(true)
    })
    void exited.then(() => resolve(false))
  })
  return {
    added,
    exited,
    end: () => void child.stdin.end(),
    async complaint(): Promise<string> {
      // Its words come before its end; one that waits for an answer has none.
      await Promise.race([exited, sleep(pollMs, undefined, { ref: false })])
      return complaint.trim().split('\n').at(-1) ?? ''
    },
  }
}
